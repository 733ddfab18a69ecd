/**
 * Searches that one statement answers, which reads the row of the copy as well, so that hits and state are of one moment. The
 * database makes its plan once, for all values, since that takes longer than most of these searches: so they are those of
 * which the best way is known without the values.
 */
import { rankingsOf } from '../../search/evaluate.ts'
import type { Query } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import { type CopyRow, selectCopy } from './copy-owner.ts'
import type { Value } from './database.ts'
import { isOfCopy, type Search, sortOf } from './search-asked.ts'
import { keyOf } from './search-columns.ts'
import { ConditionCompiler } from './search-condition.ts'
import { hitColumns, type Row } from './search-hits.ts'
import { areFew, isSmall, namedBy, rowsNamed, selectNamed } from './search-named.ts'
import { afterPosition, orderBy, startOfOrder } from './search-order.ts'
import { type HitsPage, pageOf, recheckOf, scorer } from './search-run.ts'
import { hasFrequentTop } from './search-stretches.ts'

/** What is read of the copy's row. */
export type CopyState = Pick<CopyRow, 'number' | 'records' | 'synced_at' | 'complete'>

/** The page and the copy that it was read of; null when it takes more than one statement, or there is no such copy. */
export async function searchAtOnce(
  search: Search,
  copyValues: readonly Value[],
): Promise<{ readonly page: HitsPage; readonly copy: CopyState } | null> {
  const { kept, query } = search
  if (query.sort.length === 0 && rankingsOf(query.filter).length > 0) return null
  const bind = new Bindings(copyValues)
  const compiler = new ConditionCompiler(search.table, search.copy.number, bind)
  const statement = isSmall(search)
    ? overAll(search, compiler, bind)
    : (amongFew(search, compiler, bind) ?? alongIndex(search, compiler, bind))
  if (statement === null) return null
  const rows = await kept.rows(
    `with copy as materialized (${selectCopy})
    select copy.number, copy.records, copy.synced_at, copy.complete, found.*
    from copy left join lateral (${statement.sql}) as found on true`,
    bind.values,
  )
  if (rows.length === 0) return null
  const found = statement.found(rows.map((row) => row.slice(stateColumns)))
  if (found === null) return null
  const hits = found.filter(recheckOf(search, compiler.recheck))
  // Behind those that are no hits after all there may be more, unless these are all.
  const isEnough = hits.length > query.limit || (statement.isWhole && found.length <= query.limit)
  if (!isEnough) return null
  const [number, records, synced_at, complete] = rows[0] as [number, number, string | null, boolean]
  return { page: pageOf(search, hits.map(scorer(search))), copy: { number, records, synced_at, complete } }
}

const stateColumns = 4

/** A statement, one more row than asked, and whether nothing comes behind what it goes through. */
interface Statement {
  readonly sql: string
  readonly isWhole: boolean
  /** The rows found; null when they are too many to be given. */
  found(rows: readonly Row[]): readonly Row[] | null
}

// Where nothing is found, the row of the copy stands alone.
const found = (rows: readonly Row[]): readonly Row[] => rows.filter(([id]) => id !== null)

/** Goes through few records in whatever way. */
function overAll(search: Search, compiler: ConditionCompiler, bind: Bindings): Statement {
  const { query, after } = search
  const sort = sortOf(search)
  const parts = [isOfCopy(search, bind), compiler.compile(query.filter), afterPosition(bind, sort, after)]
  return { sql: first(search, bind, parts, orderBy(sort)), isWhole: true, found }
}

/** Begins at the few records that the words name. */
function amongFew(search: Search, compiler: ConditionCompiler, bind: Bindings): Statement | null {
  const named = areFew(search, compiler) ? namedBy(search, compiler, bind, sortOf(search)) : null
  if (named === null) return null
  const limit = `limit ${bind.add(search.query.limit + 1, 'int8')}`
  return { sql: selectNamed(search.table, named, limit), isWhole: true, found: (rows) => rowsNamed(rows) }
}

/** Goes along the one index that has the order. */
function alongIndex(search: Search, compiler: ConditionCompiler, bind: Bindings): Statement | null {
  const { query, after } = search
  const sort = sortOf(search)
  const [by] = sort
  if (!hasOneWay(query) || after?.keys[0] === null) return null
  const parts = [isOfCopy(search, bind), compiler.compile(query.filter), afterPosition(bind, sort, after)]
  if (compiler.recheck === 'all') return null
  if (by !== undefined) {
    const begin = startOfOrder(bind, sort, after)
    parts.push(`${keyOf(by.column)} is not null`, begin)
    // The index has the ids of one value upwards, so that a frequent value would have to be sorted; then this finds nothing.
    if (by.descending) parts.push(`not (${hasFrequentTop(search, by, bind, begin)})`)
  }
  return { sql: first(search, bind, parts, orderBy(sort, 'values')), isWhole: by === undefined, found }
}

/** Whether the values of the filter make no difference to the best way. */
function hasOneWay({ filter, sort }: Query): boolean {
  if (filter.op === 'eq') return sort.length === 0 && filter.path.length === 1
  return filter.op === 'not' || (filter.op === 'and' && filter.of.length === 0 && sort.length < 2)
}

/**
 * Selects the first rows. That few are wanted makes a difference to the plan, so that it is told in powers of ten; how many
 * exactly, it need not know.
 */
function first({ table, query }: Search, bind: Bindings, parts: readonly string[], order: string): string {
  const most = query.limit + 1
  const about = 10 ** Math.ceil(Math.log10(most))
  return `select * from (
      select ${hitColumns(table)} from ${table.name} as t where ${parts.join(' and ')} order by ${order} limit ${about}
    ) as t limit ${bind.add(most, 'int8')}`
}
