/** The ways along records that a search may take. */
import type { Position } from '../../search/cursor.ts'
import type { Condition, Scalar } from '../../search/query.ts'
import type { Column, CopyTable } from './copy-table.ts'
import { always, type Bound, type Fragment, joined, keyOf } from './search-condition.ts'
import type { Landmarks } from './search-landmarks.ts'
import { afterPosition, afterScore, orderBy, type SortColumn, type SortTerm, startOfOrder } from './search-order.ts'
import { type Equality, orderIndex, type Start } from './search-plan.ts'
import type { SearchStatements } from './search-statements.ts'

/** Those records that meet all of `where`, in the order of the query. */
export interface Walk {
  readonly from: string
  readonly where: readonly Fragment[]
  readonly order: string
}

/** What every way has in common. */
export interface Search {
  readonly statements: SearchStatements
  readonly landmarks: Landmarks
  readonly table: CopyTable
  readonly copy: number
  /** How many records the copy has. */
  readonly records: number
  readonly condition: Condition
  /** The condition as SQL. */
  readonly filter: Fragment
  /** Ends the search when its time is up. */
  readonly ticking: Fragment
  /** The same for records that most likely meet it. */
  readonly likely: () => Fragment
  /** True of those of one score, where they are wanted alone. */
  readonly tier: Fragment
  readonly sort: readonly SortTerm[]
  /** The score where hits differ in it and nothing else sorts them. */
  readonly score: Fragment | null
  readonly after: Position | null
}

const own = ({ copy }: Search): Fragment => ({ sql: 't._copy = ?', params: [copy] })

const place = ({ score, sort, after }: Search): Fragment =>
  score === null ? afterPosition(sort, after) : afterScore(score, after)

const sorted = ({ score, sort }: Search): string => (score === null ? orderBy(sort) : `${score.sql} desc, t._id`)

/** A search whose order indexes have. */
export type IndexedSearch = Search & { readonly sort: readonly SortColumn[] }

export const isIndexed = (search: Search): search is IndexedSearch => search.sort.every(({ column }) => column !== null)

/** From a start: all records that it names. */
export function fromStart(search: Search, { select, exact, likely }: Start): Walk {
  const named = { sql: `t._record in (${select.sql})`, params: select.params }
  const where = [
    named,
    own(search),
    ...(exact ? [] : [likely ? search.likely() : search.filter]),
    search.tier,
    place(search),
  ]
  return { from: 'not indexed', where, order: sorted(search) }
}

/** By score, or by what no index has, all records have to be looked at, wherever that begins. */
export function overall(search: Search): Walk {
  const from = `indexed by ${orderIndex(search.table, null)}`
  return { from, where: [own(search), search.filter, place(search)], order: sorted(search) }
}

/** Along the ids: of all records, or of those that meet an equality. Up to the given id, or from it to the end. */
export function alongIds(
  search: Search,
  equality: Equality | null,
  { upTo = null, from = null }: { readonly upTo?: Bound; readonly from?: Bound } = {},
): Walk {
  const limit: Fragment[] = []
  if (upTo !== null) limit.push({ sql: 't._id <= ?', params: [upTo] })
  if (from !== null) limit.push({ sql: 't._id > ?', params: [from] })
  const where = [...idsOf(search, equality), ...limit, search.filter, search.tier]
  return {
    from: `indexed by ${orderIndex(search.table, equality?.column ?? null)}`,
    where,
    order: 't._id',
  }
}

const idsOf = (search: Search, equality: Equality | null): Fragment[] => [
  own(search),
  ...(equality === null ? [] : [equality.condition]),
  place(search),
]

/**
 * Along the first field of the sort, up to the given key or to the end. Nulls are last in both directions, which one walk
 * cannot give: first the values, then the nulls. Within one value an index has the ids upwards, and nothing of the other
 * fields of the sort: what half of a million records have would take seconds to sort, so that such values are walked along
 * one by one.
 */
export function* alongSort(search: IndexedSearch, bounds: readonly Fragment[], upTo: Bound = null): Generator<Walk> {
  const { sort, after, filter } = search
  const [{ column, key, descending }, ...others] = sort as [SortColumn, ...SortColumn[]]
  const index = orderIndex(search.table, column)
  const from = `indexed by ${index}`
  if (after === null || after.keys[0] !== null) {
    // An index can begin at one of several bounds on the same side only, so that the place gives way to what is closer.
    let begin = startOfOrder(sort, after)
    const values = () => valuesOf(search, bounds, begin)
    const end = upTo === null ? always : { sql: `${key} ${descending ? '>=' : '<='} ?`, params: [upTo] }
    while (descending || others.length > 0) {
      const top = keyAt(search, index, key, [...values(), end], descending ? `${key} desc` : key, 0)
      if (top === null || !isFrequent(search, column, top, others.length === 0 ? 200 : mostToSort)) break
      yield* withinValue(search, { sql: `${key} = ?`, params: [top] }, isKey(after?.keys[0], top))
      begin = { sql: `${key} ${descending ? '<' : '>'} ?`, params: [top] }
    }
    yield { from, where: [...values(), end, filter, place(search)], order: orderBy(sort, 'values') }
  }
  if (upTo !== null) return
  const nulls = { sql: `${key} is null`, params: [] }
  if (others.length > 0 && isFrequent(search, column, null, mostToSort))
    yield* withinValue(search, nulls, after !== null && after.keys[0] === null)
  else {
    const where = [own(search), nulls, filter, place(search)]
    yield { from, where, order: orderBy(sort, 'nulls') }
  }
}

/** Records with one value in the first field of the sort, in the order of the others; `after` counts where it has that value. */
function* withinValue(search: IndexedSearch, value: Fragment, isAfter: boolean): Generator<Walk> {
  const [{ column }, ...sort] = search.sort as [SortColumn, ...SortColumn[]]
  const after = isAfter ? { ...search.after!, keys: search.after!.keys.slice(1) } : null
  if (sort.length === 0) yield alongIds({ ...search, sort, after }, { column, condition: value })
  else yield* alongSort({ ...search, sort, after, filter: joined('and', [value, search.filter]) }, [])
}

/** Up to so many records are sorted in a few milliseconds. */
const mostToSort = 5000

/** Whether so many records have the value that they are better walked along by themselves. */
function isFrequent(search: Search, column: Column, value: Bound, records: number): boolean {
  const key = keyOf(column)
  const equal: Fragment =
    value === null ? { sql: `${key} is null`, params: [] } : { sql: `${key} = ?`, params: [value] }
  return (
    remembered(search, column.index, '1', [{ sql: 't._copy = ?', params: [search.copy] }, equal], 't._id', records) ===
    1
  )
}

const isKey = (key: Scalar | null | undefined, bound: Bound): boolean =>
  key === bound || (typeof key === 'boolean' && Number(key) === bound)

const valuesOf = (
  search: IndexedSearch,
  bounds: readonly Fragment[],
  begin = startOfOrder(search.sort, search.after),
): Fragment[] => [own(search), begin, { sql: `${search.sort[0]!.key} is not null`, params: [] }, ...bounds]

/** Where the walk is after so many records, or null when it is at its end by then. Read from the index alone: 30 nanoseconds a record. */
export function idAfter(search: Search, equality: Equality | null, records: number): Bound {
  const index = orderIndex(search.table, equality?.column ?? null)
  return placeAfter(search, index, 't._id', idsOf(search, equality), 't._id', records)
}

/** The same along the first field of the sort. */
export function sortKeyAfter(search: IndexedSearch, bounds: readonly Fragment[], records: number): Bound {
  const { column, key, descending } = search.sort[0]!
  const index = orderIndex(search.table, column)
  return placeAfter(search, index, key, valuesOf(search, bounds), descending ? `${key} desc` : key, records)
}

type Asked = Parameters<typeof keyAt> extends [Search, ...infer Rest] ? Rest : never

/** Nobody comes by again where a cursor went on. */
const placeAfter = (search: Search, ...asked: Asked): Bound =>
  search.after === null ? remembered(search, ...asked) : keyAt(search, ...asked)

const remembered = (search: Search, ...asked: Asked): Bound =>
  search.landmarks.recall(search, asked, () => keyAt(search, ...asked))

function keyAt(
  { statements, table }: Search,
  index: string,
  key: string,
  where: readonly Fragment[],
  order: string,
  records: number,
): Bound {
  const { sql, params } = joined('and', where)
  const statement = `select ${key} from ${table.name} as t indexed by ${index} where ${sql} order by ${order} limit 1 offset ?`
  return (statements.first(statement, [...params, records])?.[0] as Bound | undefined) ?? null
}
