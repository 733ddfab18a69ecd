/** Progress of long work, on standard error: an updated bar on a terminal, nothing elsewhere. */
import type { Io } from '../io.ts'
import { oneLine } from './safe-text.ts'
import { paintFor } from './screen.ts'
import { cut, fit } from './width.ts'

export interface Progress {
  /** Sets the progress; `total` is null while it is unknown. */
  show(done: number, total: number | null, words: string): void
  /** Removes the bar, so that the next output starts on a clean line. */
  end(): void
}

/** Milliseconds between two updates. */
const drawEvery = 100
const barWidth = 24

export function createProgress(
  { stderr: screen, env }: Pick<Io, 'stderr' | 'env'>,
  now: () => number = performance.now.bind(performance),
): Progress {
  // A dumb terminal cannot update a line.
  if (screen.isTTY !== true || env.TERM === 'dumb') return { show() {}, end() {} }
  const paint = paintFor(screen)
  let drawnAt: number | null = null
  let drawn = ''
  return {
    show(done, total, words) {
      const at = now()
      const finished = total !== null && done >= total
      if (drawnAt !== null && at - drawnAt < drawEvery && !finished) return
      drawnAt = at
      const columns = (screen.columns ?? 80) - 1
      const text = cut(`${amount(done, total)}${oneLine(words)}`, Math.max(1, columns - barWidth - 1))
      const line = `\r${paint('cyan', bar(done, total, at))} ${text}\u001b[K`
      if (line !== drawn) screen.write(line)
      drawn = line
    },
    end() {
      if (drawnAt !== null) screen.write('\r\u001b[K')
      drawnAt = null
      drawn = ''
    },
  }
}

/** A bar that shows the share of the work, or a moving piece while the total is unknown. */
function bar(done: number, total: number | null, at: number): string {
  if (total !== null) {
    const filled = total === 0 ? barWidth : Math.min(barWidth, Math.floor((done / total) * barWidth))
    return fit('█'.repeat(filled), barWidth).replaceAll(' ', '░')
  }
  const place = Math.floor(at / drawEvery) % barWidth
  return Array.from({ length: barWidth }, (_, index) => ((index - place + barWidth) % barWidth < 3 ? '█' : '░')).join(
    '',
  )
}

const amount = (done: number, total: number | null): string =>
  total === null ? '' : `${total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))}% `
