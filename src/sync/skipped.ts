/** What a pass could not read, though it could read the rest. */
import type { Span } from './time-windows.ts'

export interface Skipped {
  /** The parent whose records they are; null where the list has none. */
  readonly parent: string | null
  /** The stretch of time, as the records write it; null for all of it. */
  readonly from: string | null
  readonly to: string | null
  readonly code: string
  readonly detail: string
  /** The list and the stretch that the next pass reads again; no list where only a full pass comes by there. */
  readonly listing: number | null
  readonly span: Span | null
}

/** More is not told one by one; the copy then keeps what it has. */
export const mostSkipped = 30

/** Neighbouring stretches that failed alike are one. */
export function withSkipped(skipped: readonly Skipped[], one: Skipped): readonly Skipped[] {
  const neighbour = skipped.find((other) => isAlike(one, other) && (follows(one, other) || follows(other, one)))
  if (neighbour === undefined) {
    const others = skipped.filter((other) => one.span !== null || other.span !== null || !isAlike(one, other))
    return others.length > mostSkipped ? others : [...others, one]
  }
  const [first, last] = follows(one, neighbour) ? [neighbour, one] : [one, neighbour]
  const both = { ...last, from: first.from, span: { from: first.span!.from, to: last.span!.to } }
  return withSkipped(
    skipped.filter((other) => other !== neighbour),
    both,
  )
}

const isAlike = (one: Skipped, other: Skipped): boolean =>
  one.parent === other.parent && one.listing === other.listing && one.code === other.code

const follows = ({ span: later }: Skipped, { span: earlier }: Skipped): boolean =>
  later !== null && earlier !== null && later.from === earlier.to
