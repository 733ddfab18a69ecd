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
export function around<R extends { readonly rank: number }>(rows: Ranked<R>, moved: readonly R[]): Ranked<R> {
  const sorted = moved.toSorted((a, b) => a.rank - b.rank)
  const first = sorted.filter(({ rank }) => rank < 0)
  const last = sorted.filter(({ rank }) => rank >= afterAll)
  const end = first.length + rows.length
  /** The moved record at a place. Reads no array out of its bounds, which is slow. */
  const movedAt = (place: number) => (place < first.length ? first[place] : place < end ? undefined : last[place - end])
  return {
    length: end + last.length,
    at: (place) => movedAt(place) ?? rows.at(place - first.length),
    rankAt: (place) => movedAt(place)?.rank ?? rows.rankAt(place - first.length),
  }
}

/** The rows of which `keep` holds, with gaps in place of the others. */
export function only<R>(rows: Ranked<R>, keep: (record: R) => boolean): Ranked<R>
export function only<R>(rows: Rows<R>, keep: (record: R) => boolean): Rows<R>
export function only<R>(rows: Rows<R>, keep: (record: R) => boolean): Rows<R> {
  const at = (place: number) => {
    const record = rows.at(place)
    return record !== undefined && keep(record) ? record : undefined
  }
  return { ...rows, length: rows.length, at }
}

/** The first records from a place on that are kept, each with its own place. */
export function firstKept<R>(rows: Rows<R>, keep: (record: R) => boolean, from: number, most: number) {
  const found: { readonly record: R; readonly place: number }[] = []
  for (let place = from; place < rows.length && found.length < most; place++) {
    const record = rows.at(place)
    if (record !== undefined && keep(record)) found.push({ record, place })
  }
  return found
}

/** The records of a list, without the gaps. */
export const recordsOf = <R>(rows: Rows<R>, keep: (record: R) => boolean = () => true): R[] =>
  firstKept(rows, keep, 0, Number.POSITIVE_INFINITY).map(({ record }) => record)
