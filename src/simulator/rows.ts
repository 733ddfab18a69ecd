/** Rows in order of rank: generated ones in their places, between those that were put first and those that were put last. */
import type { Rows } from './collection.ts'

/** Rows that tell the rank at each place, even where no record is. */
export interface Ranked<R> extends Rows<R> {
  rankAt(place: number): number
}

/** The rank of the first record that was put last; those that were put first have negative ones. */
export const afterAll = 1e9

/** The first place from `low` on at which something holds that then holds at every later one; `high` if there is none. */
export function firstPlace(low: number, high: number, holds: (place: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Records that are all known, in the given order. */
export const inOrder = <R>(records: readonly R[], rankOf = (_: R, place: number) => place): Ranked<R> => ({
  length: records.length,
  at: (place) => records[place],
  rankAt: (place) => rankOf(records[place] as R, place),
})

/** Rows in their places, between the records that were put first and those that were put last. */
export function around<R extends object>(
  rows: Ranked<R>,
  moved: readonly R[],
  rankOf: (record: R) => number,
): Ranked<R> {
  const sorted = moved.toSorted((a, b) => rankOf(a) - rankOf(b))
  const first = sorted.filter((record) => rankOf(record) < 0)
  const last = sorted.filter((record) => rankOf(record) >= afterAll)
  const end = first.length + rows.length
  /** What stands at a place: a moved record, or the place among the rows. Reads no array out of its bounds, which is slow. */
  const movedAt = (place: number) =>
    place < first.length ? first[place] : place >= end ? last[place - end] : place - first.length
  return {
    length: end + last.length,
    at(place) {
      const found = movedAt(place)
      return typeof found === 'number' ? rows.at(found) : found
    },
    rankAt(place) {
      const found = movedAt(place)
      return typeof found === 'number' ? rows.rankAt(found) : rankOf(found as R)
    },
  }
}

/** The rows of which `keep` holds, with gaps in place of the others. */
export const only = <R>(rows: Ranked<R>, keep: (record: R) => boolean): Ranked<R> => ({
  ...rows,
  at(place) {
    const record = rows.at(place)
    return record !== undefined && keep(record) ? record : undefined
  },
})

/** The records of a list, without the gaps. */
export function recordsOf<R>({ length, at }: Rows<R>): R[] {
  const records: R[] = []
  for (let place = 0; place < length; place++) {
    const record = at(place)
    if (record !== undefined) records.push(record)
  }
  return records
}
