/** The parts that a pass could not read, although it could read the rest. */
import type { TimeWindow } from './time-windows.ts'

export interface Skipped {
  /** The parent of the missing records; null if the list has none. */
  readonly parent: string | null
  /** The window in the records' own format; null for all of time. */
  readonly from: string | null
  readonly to: string | null
  readonly code: string
  readonly detail: string
  /** The listing and the window for the next pass to read again; no listing if only a full pass can. */
  readonly listing: number | null
  readonly window: TimeWindow | null
}

/** More parts are not named one by one; the copy then keeps all of its records. */
export const mostSkipped = 30

/** Neighbouring windows with the same failure become one. */
export function withSkipped(skipped: readonly Skipped[], one: Skipped): readonly Skipped[] {
  const neighbour = skipped.find((other) => isAlike(one, other) && (follows(one, other) || follows(other, one)))
  if (neighbour === undefined) {
    const others = skipped.filter((other) => one.window !== null || other.window !== null || !isAlike(one, other))
    return others.length > mostSkipped ? others : [...others, one]
  }
  const [first, last] = follows(one, neighbour) ? [neighbour, one] : [one, neighbour]
  const both = { ...last, from: first.from, window: { from: first.window!.from, to: last.window!.to } }
  return withSkipped(
    skipped.filter((other) => other !== neighbour),
    both,
  )
}

const isAlike = (one: Skipped, other: Skipped): boolean =>
  one.parent === other.parent && one.listing === other.listing && one.code === other.code

const follows = ({ window: later }: Skipped, { window: earlier }: Skipped): boolean =>
  later !== null && earlier !== null && later.from === earlier.to
