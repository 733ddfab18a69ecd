/**
 * Searches that one statement answers, which reads the row of the copy as well, so that hits and state are of one moment. The
 * database makes its plan once, for all values, since that takes longer than most of these searches: so they are those of
 * which the best way is known without the values.
 */
import { rankingsOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import type { Value } from './database.ts'
import { isOfCopy, type Search, sortOf } from './search-asked.ts'
import { keyOf } from './search-columns.ts'
import { ConditionCompiler, type Recheck } from './search-condition.ts'
import { type SearchedRow, selectCopy } from './search-copies.ts'
import { hitColumns, type Row } from './search-hits.ts'
import { areFew, isSmall, namedBy, rowsNamed, selectNamed } from './search-named.ts'
import { afterPosition, orderBy, type SortColumn, startOfOrder } from './search-order.ts'
import { type HitsPage, hitsAmong, pageOf } from './search-run.ts'
import { selectTop } from './search-stretches.ts'

/** What is read of the copy's row. */
const stateColumns = [
  'number',
  'records_table',
  'records',
  'synced_at',
  'complete',
  'error_code',
  'error_detail',
  'error_at',
] as const
export type CopyState = Pick<SearchedRow, (typeof stateColumns)[number]>

/** The page and the copy that it was read of; null when it takes more than one statement, or there is no such copy. */
export async function searchAtOnce(
  search: Search,
  copyValues: readonly Value[],
): Promise<readonly [HitsPage, CopyState] | null> {
  const { kept, query } = search
  if (query.sort.length === 0 && rankingsOf(query.filter).length > 0) return null
  const sort = sortOf(search)
  if (sort === null) return null
  const bind = new Bindings(copyValues)
  const statement = statementFor(search, sort, bind)
  if (statement === null) return null
  const rows = await kept.rows(
    `with copy as materialized (${selectCopy})
    select found.*, ${stateColumns.map((column) => `copy.${column}`).join(', ')}
    from copy left join lateral (${statement.sql}) as found on true`,
    bind.values,
  )
  if (rows.length === 0) return null
  const found = statement.found(rows)
  if (found === null) return null
  const hits = await hitsAmong(search, statement.recheck, found)
  // Behind those that are no hits after all there may be more, unless these are all.
  const isEnough = hits.length > query.limit || (statement.isWhole && found.length < statement.most)
  if (!isEnough) return null
  const values = rows[0]!.slice(-stateColumns.length)
  const copy = Object.fromEntries(stateColumns.map((column, place) => [column, values[place]])) as unknown as CopyState
  return [await pageOf(search, hits), copy]
}

/** A statement that gives so many rows, and whether nothing comes behind what it goes through. */
interface Statement {
  readonly sql: string
  readonly most: number
  readonly isWhole: boolean
  readonly recheck: Recheck
  /** The rows found; null when they are too many to be given. */
  found(rows: readonly Row[]): readonly Row[] | null
}

function statementFor(search: Search, sort: readonly SortColumn[], bind: Bindings): Statement | null {
  if (isSmall(search)) return overAll(search, sort, bind)
  const few = areFew(search)
  if (few === null) return null
  return few ? amongFew(search, sort, bind) : alongIndex(search, sort, bind)
}

// Where nothing is found, the row of the copy stands alone.
const found = (rows: readonly Row[]): readonly Row[] => (rows[0]![0] === null ? [] : rows)

/** Goes through few records in whatever way. */
function overAll(search: Search, sort: readonly SortColumn[], bind: Bindings): Statement {
  const { query, after } = search
  const compiler = new ConditionCompiler(search, bind)
  const parts = [isOfCopy(search, bind), compiler.compile(query.filter), afterPosition(bind, sort, after)]
  return {
    ...first(search, bind, parts, orderBy(sort), compiler.recheck),
    isWhole: true,
    found,
  }
}

/** Begins at the few records that the words name. */
function amongFew(search: Search, sort: readonly SortColumn[], bind: Bindings): Statement | null {
  const { table, query } = search
  const compiler = new ConditionCompiler(search, bind, 'named')
  const named = namedBy(search, compiler, bind, sort)
  if (named === null) return null
  const most = query.limit + 1
  return {
    sql: selectNamed(table, named, `limit ${bind.add(most, 'int8')}`),
    most,
    isWhole: true,
    recheck: compiler.recheck,
    found: (rows) => rowsNamed(rows, -1 - stateColumns.length),
  }
}

/** Goes along the one index that has the order. */
function alongIndex(search: Search, sort: readonly SortColumn[], bind: Bindings): Statement | null {
  const { table, query, after } = search
  if (!hasOneWay(search) || after?.keys[0] === null) return null
  const compiler = new ConditionCompiler(search, bind, 'read')
  const filter = compiler.compile(query.filter)
  // In this form the database takes it for what half of the records meet. Otherwise it may think that hardly any do, and
  // sort all that do instead of going along the order.
  const met = isReadAlong(query.filter, table) ? `coalesce(${filter}, false)` : filter
  const parts = [isOfCopy(search, bind), met, afterPosition(bind, sort, after)]
  const [by, then] = sort
  const way = (parts: readonly string[], order: string, isWhole: boolean) => ({
    ...first(search, bind, parts, order, compiler.recheck),
    isWhole,
    found,
  })
  if (by === undefined) return way(parts, orderBy(sort), true)
  const begin = startOfOrder(bind, sort, after)
  if (then === undefined) return way([...parts, ...values(search, by, bind, begin)], orderBy(sort, 'values'), false)
  // The frequent values of the first field are gone through one by one; the first of them may have all that is wanted.
  if (after !== null || sort.length > 2) return null
  const top = `(${selectTop(search, by, bind, begin)}) as top`
  parts.push(
    `(select frequent from ${top})`,
    `${keyOf(by.column)} = (select key from ${top})`,
    ...values(search, then, bind, 'true'),
  )
  return way(parts, orderBy([then], 'values'), false)
}

/** Goes through the values of a field in their order, from where it begins. */
function values(search: Search, by: SortColumn, bind: Bindings, begin: string): string[] {
  const parts = [`${keyOf(by.column)} is not null`, begin]
  // The index has the ids of one value upwards, so that a frequent value would have to be sorted; then this finds nothing.
  if (by.descending) parts.push(`not (select frequent from (${selectTop(search, by, bind, begin)}) as top)`)
  return parts
}

/** Whether the values of the filter make no difference to the best way. */
function hasOneWay(search: Search): boolean {
  const { filter, sort } = search.query
  const { columns } = search.table
  if (sort.length === 0 && filter.op === 'eq') return filter.path.length === 1 && columns.has(filter.path[0])
  return isRange(search) || isReadAlong(filter, search.table)
}

/** Whether the filter says which part of its order the query goes through. */
const isRange = ({ query: { filter, sort } }: Search): boolean =>
  sort.length === 1 && /^[gl]te?$/.test(filter.op) && 'path' in filter && filter.path[0] === sort[0]!.path[0]

/** Whether no index of a column says which records meet it. */
function isReadAlong(condition: Condition, table: CopyTable): boolean {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.of.every((part) => isReadAlong(part, table))
    case 'not':
    case 'like':
    case 'fuzzy':
    case 'keyword':
      return true
    default:
      return !table.columns.has(condition.path[0])
  }
}

/**
 * Selects the first rows. That few are wanted makes a difference to the plan, so that it is told in powers of ten; how many
 * exactly, it need not know.
 */
function first(
  { table, query }: Search,
  bind: Bindings,
  parts: readonly string[],
  order: string,
  recheck: Recheck,
): Pick<Statement, 'sql' | 'most' | 'recheck'> {
  // Of those that are looked at again, a few may be no hits.
  const most = query.limit + 1 + (recheck === 'all' ? query.limit >> 5 : 0)
  const about = 10 ** Math.ceil(Math.log10(most))
  const sql = `select * from (
      select ${hitColumns(table)} from ${table.name} as t where ${parts.join(' and ')} order by ${order} limit ${about}
    ) as t limit ${bind.add(most, 'int8')}`
  return { sql, most, recheck }
}
