/**
 * Pages through a system that never pages, by the creation time of its records: each page asks for what lies beyond the
 * last record of the page before. Neighbouring pages overlap by a millisecond, since whether the system counts a bound
 * in is not known, and records met before are left out by their identity.
 */
import type { TimePaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import { readToken, unknownToken, writeToken } from './own-token.ts'
import { type Fetch, identityOf, type Page, type Query } from './page.ts'

/** Where a page ended: the time of its last record in milliseconds, and the records of that time handed out so far. */
interface Position {
  readonly time: number
  readonly seen: readonly string[]
}

export async function timePage(paging: TimePaging, asked: Query, fetch: Fetch): Promise<Page> {
  const { [paging.limit]: wanted, [paging.offset]: offset, ...query } = asked
  const limit = typeof wanted === 'number' ? wanted : paging.size
  const order = query[paging.sort.param]
  if (order !== undefined && order !== paging.sort.byTime) return unpagedPage(paging, query, limit, offset, fetch)

  const own = [paging.limit, paging.offset] as const
  const start = typeof offset === 'string' ? asPosition(readToken(offset, query, own), paging.offset) : null
  const { fresh, full, skipped } = await beyond(paging, query, start, fetch)
  const records = fresh.slice(0, limit)
  const more = records.length < fresh.length || full
  const position = more ? positionAfter(paging, start, records) : null
  const next = position === null ? null : writeToken(query, own, [position.time, position.seen])
  return {
    records,
    block: { [paging.blockName]: next === null ? null : { [paging.offset]: next } },
    next: next === null ? null : { ...asked, [paging.offset]: next },
    ...(skipped || (more && position === null) ? { warnings: [{ path: '/result', message: paging.cutWarning }] } : {}),
  }
}

/** One answer in an order that cannot be continued; it says so when there was more. */
async function unpagedPage(
  paging: TimePaging,
  query: Query,
  limit: number,
  offset: unknown,
  fetch: Fetch,
): Promise<Page> {
  if (offset !== undefined)
    throw new ConexError(
      'invalid_cursor',
      `A list ordered by ${String(query[paging.sort.param])} has no further pages; order it by ${paging.sort.byTime} to page.`,
    )
  // One more than wanted shows whether there is more; at the system's own maximum that cannot be seen.
  const { records } = await fetch({ ...query, [paging.limit]: Math.min(limit + 1, paging.size) })
  const cut = records.length > limit || records.length >= paging.size
  return {
    records: records.slice(0, limit),
    block: { [paging.blockName]: null },
    next: null,
    ...(cut ? { warnings: [{ path: '/result', message: paging.cutWarning }] } : {}),
  }
}

/** How many steps of a millisecond are tried when one millisecond holds more records than an answer. */
const mostSteps = 4

/** The records that lie beyond a position. `skipped` when one millisecond holds more records than an answer shows. */
async function beyond(
  paging: TimePaging,
  query: Query,
  start: Position | null,
  fetch: Fetch,
): Promise<{ fresh: unknown[]; full: boolean; skipped: boolean }> {
  const ascending = query[paging.sort.ascending] === true
  const seen = new Set(start?.seen)
  let skipped = false
  for (let step = 0; ; step++) {
    const bound =
      start === null ? {} : boundOf(paging, query, ascending ? start.time + step : start.time - step, ascending)
    const { records } = await fetch({
      ...query,
      ...bound,
      [paging.sort.param]: paging.sort.byTime,
      [paging.limit]: paging.size,
    })
    const full = records.length >= paging.size
    if (start === null) return { fresh: [...records], full, skipped }
    const fresh = records.filter((record) => {
      const time = timeOf(record, paging)
      // Where the bound counts in, the overlap also brings the neighbouring millisecond, which was handed out whole.
      const passed = time !== null && (ascending ? time < start.time : time > start.time)
      return !passed && !seen.has(identityOf(record, paging.identity))
    })
    if (fresh.length > 0 || !full || step === mostSteps) return { fresh, full, skipped }
    skipped ||= records.every((record) => timeOf(record, paging) === start.time)
  }
}

/** The bound that reaches a millisecond over the given time; the caller's own bound stays where it is narrower. */
function boundOf(paging: TimePaging, query: Query, time: number, ascending: boolean): Query {
  const name = ascending ? paging.time.after : paging.time.before
  const reach = ascending ? time - 1 : time + 1
  const own = query[name]
  const given = typeof own === 'string' ? Date.parse(own) : Number.NaN
  const narrower = ascending ? given > reach : given < reach
  return { [name]: narrower ? own : new Date(reach).toISOString() }
}

function positionAfter(paging: TimePaging, start: Position | null, records: readonly unknown[]): Position | null {
  const time = timeOf(records.at(-1), paging)
  if (time === null) return null
  const seen = records
    .filter((record) => timeOf(record, paging) === time)
    .map((record) => identityOf(record, paging.identity))
  return { time, seen: start?.time === time ? [...start.seen, ...seen] : seen }
}

function asPosition(position: unknown, param: string): Position {
  if (!Array.isArray(position)) throw unknownToken(param)
  const [time, seen] = position as unknown[]
  if (typeof time !== 'number' || !Number.isSafeInteger(time) || Math.abs(time) > furthestTime)
    throw unknownToken(param)
  if (!Array.isArray(seen) || !seen.every((identity) => typeof identity === 'string')) throw unknownToken(param)
  return { time, seen }
}

/** A little less than the furthest time that a date can hold, so that a step beyond it is still a date. */
const furthestTime = 8.6e15

function timeOf(record: unknown, paging: TimePaging): number | null {
  const written = valueAt(record, [paging.time.field])
  const time = typeof written === 'string' ? Date.parse(written) : Number.NaN
  return Math.abs(time) <= furthestTime ? time : null
}
