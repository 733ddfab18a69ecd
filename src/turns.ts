/** Work that takes long gives other work its turn, so that nothing holds the event loop. */
import { setImmediate } from 'node:timers/promises'

/** How long work may go on before it lets others have their turn, in milliseconds. */
const longest = 4

/**
 * Gives back a function to call between steps of the work: it gives the wait for others where the work has gone on for long.
 * Else undefined, which is not to be awaited: a hundred needless waits cost more than the work on a hundred records. Steps that
 * are shorter than a look at the clock are best looked at several at once.
 */
export function takeTurns(stepsAtOnce = 1): () => Promise<void> | undefined {
  let begun = performance.now()
  let steps = 0
  return () => {
    if (++steps < stepsAtOnce) return undefined
    steps = 0
    if (performance.now() - begun < longest) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}

/** Gives back a function that takes steps to their end in turns with other work; `tick` is called after each wait and may throw. */
export function takeSteps(tick: () => void): <Found>(steps: Generator<void, Found, void>) => Found | Promise<Found> {
  const turn = takeTurns()
  return function take<Found>(steps: Generator<void, Found, void>): Found | Promise<Found> {
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      const others = turn()
      if (others === undefined) continue
      return others.then(() => {
        tick()
        return take(steps)
      })
    }
  }
}

/** How much text becomes bytes at once. */
const pieceLength = 64 * 1024

/** A text that is put together in turns with other work, which turning all of it into bytes at once would hold up. */
export class LongText {
  readonly #turn = takeTurns()
  readonly #pieces: Buffer[] = []
  #text = ''

  /** Adds to the text; gives the wait for others where the work has gone on for long. */
  add(text: string): Promise<void> | undefined {
    this.#text += text
    if (this.#text.length >= pieceLength) {
      this.#pieces.push(Buffer.from(this.#text))
      this.#text = ''
    }
    return this.#turn()
  }

  /** The text where it is short, for whoever sends it turns it into bytes as well; else the bytes. */
  written(): string | Buffer {
    return this.#pieces.length === 0 ? this.#text : Buffer.concat([...this.#pieces, Buffer.from(this.#text)])
  }
}
