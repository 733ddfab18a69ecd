/** The stretches of time in which a list is read. */
import type { Windows } from '../catalog/stream.ts'
import { localTime } from './local-time.ts'

/** In milliseconds since 1970, as the clocks of its zone show; the newest has no end. */
export interface Span {
  readonly from: number
  readonly to: number | null
}

/** How far back a pass reads: null for everything. Times in milliseconds since 1970. */
export interface Reach {
  readonly startedAt: number
  readonly since: number | null
  /** Whether it looks back farther than usual, where a list has that. */
  readonly far: boolean
  /** From when on dated records are copied; null where the list says it. */
  readonly startDate: string | null
}

/** The moment before which nothing is part of the copy. */
export function oldestOf(
  { history, mostHistory }: Windows,
  { startedAt, startDate }: Pick<Reach, 'startedAt' | 'startDate'>,
  zone: unknown,
): number {
  const now = localTime(startedAt, zone)
  const wanted = startDate === null ? now - history * 1000 : localTime(Date.parse(startDate), zone)
  return mostHistory === undefined ? wanted : Math.max(wanted, now - mostHistory * 1000)
}

/** Oldest first; they begin at whole steps, and the newest has no end. Before them come those that an earlier pass left out. */
export function spansOf(windows: Windows, reach: Reach, zone: unknown, owed: readonly Span[] = []): Span[] {
  const { startedAt, since, far } = reach
  const { length, step, farLookBack } = windows
  const lookBack = far && farLookBack !== undefined ? farLookBack.lookBack : windows.lookBack
  const now = localTime(startedAt, zone)
  const oldest = oldestOf(windows, reach, zone)
  const wanted = since === null ? oldest : Math.max(oldest, localTime(since, zone) - lookBack * 1000)
  const first = wanted - (wanted % (step * 1000))
  const spans: Span[] = []
  const add = (start: number, end: number): void => {
    for (let from = start; from < end; from += length * 1000)
      spans.push({ from, to: Math.min(end, from + length * 1000) })
  }
  for (const { from, to } of owed) if (to === null || to > oldest) add(from, Math.min(to ?? first, first))
  add(first, now + 1)
  return spans.map((span) => (span.to !== null && span.to > now ? { ...span, to: null } : span))
}

/** The two halves of a stretch, in whole steps; null where it is a single one. */
export function halvesOf({ step }: Windows, { from, to }: Span, now: number): readonly [Span, Span] | null {
  const steps = Math.ceil(((to ?? now + 1) - from) / (step * 1000))
  if (steps < 2) return null
  const middle = from + Math.ceil(steps / 2) * step * 1000
  return [
    { from, to: middle },
    { from: middle, to },
  ]
}
