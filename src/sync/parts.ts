/** The parts in which a listing is read: for each parent and each stretch of time one, in an order that a later run finds again. */

import type { Params } from '../catalog/rules.ts'
import type { Listing, Parent, Parents, Windows } from '../catalog/stream.ts'
import { writeCursor } from '../search/cursor.ts'
import { parseQuery } from '../search/parse-query.ts'
import { type Found, hitsIn } from '../store/copy.ts'
import { keyOf, type Run } from './run.ts'

export interface Part {
  /** Null where the listing has no parents. */
  readonly parent: Parent | null
  /** Counts the parts of a parent, from 0. */
  readonly nth: number
  readonly params: Params
  /** Whether a parent's last part, or one without a parent. */
  readonly ends: boolean
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
) {
  const wanted = startDate === null ? startedAt - history * 1000 : Date.parse(startDate)
  return mostHistory === undefined ? wanted : Math.max(wanted, startedAt - mostHistory * 1000)
}

/** The parts from the given parent and part of it on. */
export async function* partsOf(
  run: Run,
  { params, over, windows, since: changes }: Listing,
  reach: Reach,
  from: { readonly parent: string; readonly nth: number },
): AsyncGenerator<Part> {
  const always: Params = {
    ...params,
    ...(changes !== undefined && reach.since !== null && changes.params(reach.since - changes.lookBack * 1000)),
  }
  const spans = windows === undefined ? [{}] : windowsOf(windows, reach)
  const parents = over === undefined ? [null] : parentsOf(run, over, reach, from.parent)
  for await (const parent of parents) {
    const lists = parent === null || over === undefined ? [{}] : over.params(parent)
    const first = parent === null || parent.id === from.parent ? from.nth : 0
    const count = lists.length * spans.length
    for (let nth = first; nth < count; nth++)
      yield {
        parent,
        nth,
        ends: parent === null || nth === count - 1,
        params: { ...always, ...lists[Math.floor(nth / spans.length)], ...spans[nth % spans.length] },
      }
  }
}

/** How many parents there are, or stretches of time where there are none; null where that is not known without reading. */
export async function countParts(run: Run, { over, windows }: Listing, reach: Reach): Promise<number | null> {
  const { since } = reach
  if (over === undefined) return windows === undefined ? 1 : windowsOf(windows, reach).length
  if (over.where !== undefined || (over.changed !== undefined && since !== null)) return null
  const states = await run.copies.states(run.tenant, run.connectorId)
  return states.find(({ entity }) => entity === over.entity)?.records ?? 0
}

/** Oldest first; they begin at whole steps, and the newest has no end. */
function windowsOf(windows: Windows, reach: Reach): Params[] {
  const { startedAt, since, far } = reach
  const { length, step, params, farLookBack } = windows
  const lookBack = far && farLookBack !== undefined ? farLookBack.lookBack : windows.lookBack
  const oldest = oldestOf(windows, reach)
  const wanted = since === null ? oldest : Math.max(oldest, since - lookBack * 1000)
  const spans: Params[] = []
  for (let from = wanted - (wanted % (step * 1000)); from <= startedAt; from += length * 1000) {
    const to = from + length * 1000
    spans.push(params(from, to > startedAt ? null : to, startedAt))
  }
  return spans
}

const parentsAtOnce = 500

/** Parents in the copy by id, from the given one on. */
async function* parentsOf(run: Run, over: Parents, { since }: Reach, from: string): AsyncGenerator<Parent> {
  const searchable = run.kind.entities[over.entity]!.searchable!
  const { changed } = over
  const filters: object[] = over.where === undefined ? [] : [over.where]
  if (changed !== undefined && since !== null)
    filters.push({ gte: { [changed.field]: new Date(since - changed.lookBack * 1000).toISOString() } })
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
