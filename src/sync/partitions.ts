/** Divides a listing into partitions, one for each parent, in the same order in every run. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Listing, Parent, Parents } from '../catalog/stream.ts'
import { writeCursor } from '../search/cursor.ts'
import { parseQuery } from '../search/parse-query.ts'
import { type Found, hitsIn } from '../store/copy.ts'
import type { Skipped } from './skipped.ts'
import { copyOf, countRecords, type PassContext } from './sync-context.ts'
import { halvesOf, localTime, secondsOf, type TimeWindow, windowsOf } from './time-windows.ts'

/** One list of a parent, or one time window of that list. */
export interface Slice {
  /** The index of the list among the parent's lists. */
  readonly list: number
  /** Its place among the slices of the partition. Halves keep it. */
  readonly nth: number
  readonly window: TimeWindow | null
}

export interface Partition {
  /** Null if the listing has no parents. */
  readonly parent: Parent | null
  readonly list: ListOperation
  /** In the order of lists, and of time. */
  readonly slices: readonly Slice[]
  readonly paramsOf: (slice: Slice) => Params
  /** The halves of a slice; none if it cannot be divided further. */
  readonly halves: (slice: Slice) => readonly Slice[]
}

type Context = Pick<PassContext, 'tenant' | 'connectorId' | 'kind' | 'copies' | 'reach' | 'stream' | 'closed'>

/** The partitions from a parent on. `owed` lists the parts of this listing that an earlier pass skipped. */
export async function* partitionsOf(
  context: Context,
  { list: everything, params, over, windows, since: changes }: Listing,
  from: string,
  owed: readonly Skipped[],
): AsyncGenerator<Partition> {
  for await (const parent of over === undefined ? [null] : parentsOf(context, over, from, owed)) {
    const own = owed.filter((one) => one.parent === (parent?.id ?? null))
    // A list that was skipped as a whole is read as a whole.
    const since = own.some(({ window }) => window === null) ? null : context.reach.since
    const zone = windows?.zone === undefined ? undefined : parent?.data[windows.zone]
    const now = localTime(context.reach.startedAt, zone)
    const missed = own.flatMap(({ window }) => window ?? [])
    const spans = windows === undefined ? [null] : windowsOf(windows, { ...context.reach, since }, zone, missed)
    const lists =
      parent === null
        ? [{}]
        : isClosed(context, over!, parent)
          ? []
          : over!.params(parent, context.reach.settings ?? {})
    yield {
      parent,
      list: (since !== null && changes?.list) || everything,
      slices: lists
        .flatMap((_, list) => spans.map((window) => ({ list, window })))
        .map((slice, nth) => ({ ...slice, nth })),
      paramsOf: ({ list, window }) => ({
        ...params,
        ...(since !== null && changes?.params(since - changes.lookBack * 1000)),
        ...lists[list],
        ...(window !== null && windows!.params(window.from, window.to, now)),
      }),
      halves: (slice) =>
        slice.window === null ? [] : halvesOf(windows!, slice.window, now).map((window) => ({ ...slice, window })),
    }
  }
}

/** Whether a parent cannot be read at present, or belongs to one that cannot. */
function isClosed({ stream, closed }: Context, { entity }: Parents, { id, data }: Parent): boolean {
  if (stream?.closed === undefined || closed === undefined) return false
  return closed.has(entity === stream.closed.entity ? id : String(data[stream.closed.field]))
}

/** The closed parents of a stream, by their ids. */
export async function closedParents(context: Context): Promise<ReadonlySet<string>> {
  const { closed } = context.stream
  const ids = new Set<string>()
  if (closed === undefined) return ids
  const { entity, fields, is } = closed
  for await (const parent of parentsOf(context, { entity, fields }, '', []))
    if (is(parent, context.reach.settings ?? {})) ids.add(parent.id)
  return ids
}

/** The number of parents, or of windows if there are no parents; null if only reading can tell. */
export async function countPartitions(context: Context, { over, windows }: Listing): Promise<number | null> {
  if (over === undefined) return windows === undefined ? 1 : windowsOf(windows, context.reach).length
  const all = over.where === undefined && (over.changed === undefined || context.reach.since === null)
  return all ? countRecords(context, over.entity) : null
}

const parentsAtOnce = 500

/** The parents in the copy by id, from one on. */
async function* parentsOf(
  context: Context,
  { entity, where, changed, fields = [] }: Pick<Parents, 'entity' | 'where' | 'changed' | 'fields'>,
  from: string,
  owed: readonly Skipped[],
): AsyncGenerator<Parent> {
  const { searchable, sync } = context.kind.entities[entity]!
  const { since } = context.reach
  const filters: object[] = where === undefined ? [] : [where]
  // A field with the id of a parent finds the owed ones. Without such a field, all parents are read.
  const idField = sync?.confirm?.field
  if (changed !== undefined && since !== null && (owed.length === 0 || idField !== undefined)) {
    const { field, lookBack, write = (moment: number) => new Date(moment).toISOString() } = changed
    const moved = { gte: { [field]: write(since - secondsOf(lookBack, context.reach) * 1000) } }
    const missed = owed.map(({ parent }) => parent)
    filters.push(missed.length === 0 ? moved : { or: [moved, { in: { [idField!]: missed } }] })
  }
  const copy = copyOf(context, entity)
  const query = parseQuery(searchable!, { query: { filter: { and: filters } }, fields, limit: parentsAtOnce })
  // An id sorts after its own beginning, and few others come between the two.
  const before = [...from].slice(0, -1).join('')
  for (let cursor: string | null = writeCursor(copy, query, { keys: [1], id: before }); cursor !== null; ) {
    const found: Found = await context.copies.search(context.tenant, copy, { ...query, cursor })
    for (const parent of hitsIn(found)) if (parent.id >= from) yield parent
    cursor = found.nextCursor
  }
}
