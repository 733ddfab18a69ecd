/**
 * Pages through a system that never pages, by the creation time of its records: each page asks for what lies beyond the
 * last record of the page before. Neighbouring pages overlap by a millisecond, since whether the system counts a bound
 * in is not known, and records met before are left out by their identity.
 */
import type { TimePaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import { ownQuery } from './own-pages.ts'
import type { Fetch, Page, Query } from './page.ts'
import type { RecordIdentity } from './progress.ts'

/** Where a page ended: the time of its last record in milliseconds, and the records of that time handed out so far. */
type Position = readonly [time: number, seen: readonly string[]]

export async function timePage(
  paging: TimePaging,
  identity: RecordIdentity,
  asked: Query,
  fetch: Fetch,
): Promise<Page> {
  const { size, sort, cutWarning } = paging
  const order = asked[sort.param] ?? sort.byTime
  if (order !== sort.byTime && asked[paging.offset] !== undefined)
    throw new ConexError(
      'invalid_cursor',
      `A list ordered by ${String(order)} has no further pages; order it by ${sort.byTime} to page.`,
    )
  const { query, limit = size, position: start, page } = ownQuery(paging, asked, isPosition)
  const ask = async (limit: number, bound: Query = {}) =>
    (await fetch({ ...query, ...bound, [sort.param]: order, [paging.limit]: limit })).records
  if (order !== sort.byTime) {
    // One more than wanted shows whether there is more; at the system's own maximum that cannot be seen.
    const records = await ask(Math.min(limit + 1, size))
    const isCut = records.length > limit || records.length >= size
    return page(records.slice(0, limit), null, isCut && cutWarning)
  }
  const { found, isFull, skipped } = start === null ? await first() : await beyond(start)
  const records = found.slice(0, limit)
  const more = records.length < found.length || isFull
  const position = more ? positionAfter(records) : null
  return page(records, position, (skipped || (more && position === null)) && cutWarning)

  async function first() {
    const found = await ask(size)
    return { found, isFull: found.length >= size, skipped: false }
  }

  /** The records beyond a position. `skipped` when one millisecond holds more of them than an answer shows. */
  async function beyond([start, seen]: Position) {
    const ascending = query[sort.ascending] === true
    const direction = ascending ? 1 : -1
    const name = ascending ? paging.time.after : paging.time.before
    const given = Date.parse(String(query[name]))
    const known = new Set(seen)
    for (let step = 0, skipped = false; ; step++) {
      const reach = start + direction * (step - 1)
      // The caller's own bound stays where it is narrower.
      const isNarrower = ascending ? given > reach : given < reach
      const records = await ask(size, isNarrower ? {} : { [name]: new Date(reach).toISOString() })
      const found = records.filter((record) => {
        const time = timeOf(record)
        // Where the bound counts in, the overlap also brings the neighbouring millisecond, which was handed out whole.
        const passed = time !== null && (ascending ? time < start : time > start)
        return !passed && !known.has(identityOf(record))
      })
      const isFull = records.length >= size
      // Two steps leave the millisecond behind, even where the bound counts in.
      if (found.length > 0 || !isFull || step === 2) return { found, isFull, skipped }
      skipped ||= records.every((record) => timeOf(record) === start)
    }
  }

  function positionAfter(records: readonly unknown[]): Position | null {
    const time = timeOf(records.at(-1))
    if (time === null) return null
    const seen = records.filter((record) => timeOf(record) === time).map(identityOf)
    return [time, start?.[0] === time ? [...start[1], ...seen] : seen]
  }

  function timeOf(record: unknown): number | null {
    const written = valueAt(record, [paging.time.field])
    const time = typeof written === 'string' ? Date.parse(written) : Number.NaN
    return Math.abs(time) <= furthestTime ? time : null
  }

  function identityOf(record: unknown): string {
    return identity(record) ?? ''
  }
}

/** A little less than the furthest time that a date can hold, so that a step beyond it is still a date. */
const furthestTime = 8.6e15

function isPosition(value: unknown): value is Position {
  const [time, seen] = Array.isArray(value) ? value : []
  const isText = (identity: unknown): boolean => typeof identity === 'string'
  return Number.isSafeInteger(time) && Math.abs(time) <= furthestTime && Array.isArray(seen) && seen.every(isText)
}
