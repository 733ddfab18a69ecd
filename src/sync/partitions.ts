/** The parts in which a listing is read: for each parent and each stretch of time one, in an order that a later run finds again. */

import type { Params } from '../catalog/rules.ts'
import type { Listing, Parent, Parents } from '../catalog/stream.ts'
import { writeCursor } from '../search/cursor.ts'
import { parseQuery } from '../search/parse-query.ts'
import { type Found, hitsIn } from '../store/copy.ts'
import { localTime } from './local-time.ts'
import type { Skipped } from './skipped.ts'
import { keyOf, type SyncContext } from './sync-context.ts'
import { halvesOf, type Reach, type Span, spansOf } from './time-windows.ts'

export interface Part {
  /** Null where the listing has no parents. */
  readonly parent: Parent | null
  /** Counts the parts of a parent, from 0. */
  readonly nth: number
  /** Null where the list is not read by time. */
  readonly span: Span | null
  readonly params: Params
  /** Its params for less of its time; null where it cannot be had in less. */
  readonly halves: (span: Span) => readonly [Span, Span] | null
  readonly within: (span: Span) => Params
  /** Whether a parent's last part, or one without a parent. */
  readonly ends: boolean
}

/** The parts from the given parent and part of it on. `owed` is what an earlier pass left out of this listing. */
export async function* partsOf(
  run: SyncContext,
  { params, over, windows, since: changes }: Listing,
  reach: Reach,
  from: { readonly parent: string; readonly nth: number },
  owed: readonly Skipped[] = [],
): AsyncGenerator<Part> {
  const parents = over === undefined ? [null] : parentsOf(run, over, reach, from.parent, owed)
  for await (const parent of parents) {
    const own = owed.filter((one) => one.parent === (parent?.id ?? null))
    const since = own.some(({ span }) => span === null) ? null : reach.since
    const always: Params = {
      ...params,
      ...(changes !== undefined && since !== null && changes.params(since - changes.lookBack * 1000)),
    }
    const zone = windows?.zone === undefined ? undefined : parent?.data[windows.zone]
    const now = localTime(reach.startedAt, zone)
    const spans =
      windows === undefined
        ? [null]
        : spansOf(
            windows,
            { ...reach, since },
            zone,
            own.flatMap(({ span }) => span ?? []),
          )
    const lists = parent === null || over === undefined ? [{}] : over.params(parent)
    const first = parent === null || parent.id === from.parent ? from.nth : 0
    const count = lists.length * spans.length
    for (let nth = first; nth < count; nth++) {
      const span = spans[nth % spans.length]!
      const list = { ...always, ...lists[Math.floor(nth / spans.length)] }
      const within = ({ from, to }: Span): Params => ({ ...list, ...windows?.params(from, to, now) })
      yield {
        parent,
        nth,
        span,
        params: span === null ? list : within(span),
        within,
        halves: (span) => (windows === undefined ? null : halvesOf(windows, span, now)),
        ends: parent === null || nth === count - 1,
      }
    }
  }
}

/** How many parents there are, or stretches of time where there are none; null where that is not known without reading. */
export async function countParts(run: SyncContext, { over, windows }: Listing, reach: Reach): Promise<number | null> {
  const { since } = reach
  if (over === undefined) return windows === undefined ? 1 : spansOf(windows, reach, undefined).length
  if (over.where !== undefined || (over.changed !== undefined && since !== null)) return null
  const states = await run.copies.states(run.tenant, run.connectorId)
  return states.find(({ entity }) => entity === over.entity)?.records ?? 0
}

const parentsAtOnce = 500

/** Parents in the copy by id, from the given one on. */
async function* parentsOf(
  run: SyncContext,
  over: Parents,
  { since }: Reach,
  from: string,
  owed: readonly Skipped[],
): AsyncGenerator<Parent> {
  const searchable = run.kind.entities[over.entity]!.searchable!
  const { changed } = over
  const filters: object[] = over.where === undefined ? [] : [over.where]
  // Those that are owed are looked up by their ids where there is a field for that, else among all.
  const idField = run.kind.entities[over.entity]!.sync?.confirm?.field
  if (changed !== undefined && since !== null && (owed.length === 0 || idField !== undefined)) {
    const moved = { gte: { [changed.field]: new Date(since - changed.lookBack * 1000).toISOString() } }
    filters.push(owed.length === 0 ? moved : { or: [moved, { in: { [idField!]: owed.map(({ parent }) => parent) } }] })
  }
  const key = keyOf(run, over.entity)
  const query = parseQuery(searchable, {
    query: { filter: { and: filters } },
    fields: over.fields ?? [],
    limit: parentsAtOnce,
  })
  // An id comes after its own beginning, and few others stand between the two.
  const before = [...from].slice(0, -1).join('')
  for (let cursor: string | null = writeCursor(key, query, { keys: [1], id: before }); cursor !== null; ) {
    const found: Found = await run.copies.search(run.tenant, key, { ...query, cursor })
    for (const parent of hitsIn(found)) if (parent.id >= from) yield parent
    cursor = found.nextCursor
  }
}
