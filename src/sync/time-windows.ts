/** The time windows in which a list is read. */
import type { Settings, Windows } from '../catalog/stream.ts'

/** In milliseconds since 1970, by the clocks of its zone. The newest window has no end. */
export interface TimeWindow {
  readonly from: number
  readonly to: number | null
}

/** How far back a pass reads; times in milliseconds since 1970. */
export interface Reach {
  readonly startedAt: number
  /** The start of the needed changes; null reads everything. */
  readonly since: number | null
  /** Whether the pass looks back farther than usual, if a list allows that. */
  readonly far: boolean
  /** The start date of the copy for dated records; null leaves it to the list. */
  readonly startDate: string | null
  /** The connector's replication_config. */
  readonly settings?: Settings
}

/** A number of seconds, which settings of the connector may decide. */
export const secondsOf = (lookBack: Windows['lookBack'], { settings = {} }: Pick<Reach, 'settings'>): number =>
  typeof lookBack === 'number' ? lookBack : lookBack(settings)

/**
 * A moment by the clocks of a zone, in milliseconds as if that were UTC, which makes each day 24 hours long. An
 * unknown zone counts as UTC.
 */
export function localTime(moment: number, zone: unknown): number {
  if (typeof zone !== 'string') return moment
  try {
    // The Swedish locale writes ISO 8601.
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return Date.parse(`${shown.format(moment)}Z`)
  } catch {
    return moment
  }
}

/** Records before this moment are not part of the copy. */
export function oldestOf(
  { history, mostHistory = Number.POSITIVE_INFINITY }: Windows,
  { startedAt, startDate }: Reach,
  zone?: unknown,
): number {
  const now = localTime(startedAt, zone)
  const wanted = startDate === null ? now - history * 1000 : localTime(Date.parse(startDate), zone)
  return Math.max(wanted, now - mostHistory * 1000)
}

/** Oldest first, beginning at whole steps. The windows that an earlier pass skipped come before them. */
export function windowsOf(
  windows: Windows,
  reach: Reach,
  zone?: unknown,
  owed: readonly TimeWindow[] = [],
): TimeWindow[] {
  const { length, step, farLookBack } = windows
  const now = localTime(reach.startedAt, zone)
  const oldest = oldestOf(windows, reach, zone)
  const lookBack = (reach.far && farLookBack?.lookBack) || secondsOf(windows.lookBack, reach)
  const wanted = reach.since === null ? oldest : Math.max(oldest, localTime(reach.since, zone) - lookBack * 1000)
  const first = wanted - (wanted % (step * 1000))
  const found: TimeWindow[] = []
  function add(start: number, end: number): void {
    for (let from = start; from < end; from += length * 1000) {
      const to = Math.min(end, from + length * 1000)
      found.push({ from, to: to > now ? null : to })
    }
  }
  for (const { from, to } of owed) if (to === null || to > oldest) add(from, Math.min(to ?? first, first))
  add(first, now + 1)
  return found
}

/** The two halves of a window, in whole steps; none for a single step. */
export function halvesOf({ step }: Windows, { from, to }: TimeWindow, now: number): readonly TimeWindow[] {
  const steps = Math.ceil(((to ?? now + 1) - from) / (step * 1000))
  const middle = from + Math.ceil(steps / 2) * step * 1000
  return steps < 2
    ? []
    : [
        { from, to: middle },
        { from: middle, to },
      ]
}
