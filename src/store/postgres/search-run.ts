/** Runs a search over one copy in PostgreSQL. */
import { type CursorScope, type Position, readCursor, writeCursor } from '../../search/cursor.ts'
import { rankingsOf, scoreOf, testOf } from '../../search/evaluate.ts'
import type { Query } from '../../search/query.ts'
import { positionOf } from '../../search/search-records.ts'
import { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import type { Session } from './database.ts'
import { ConditionCompiler, type Recheck } from './search-condition.ts'
import { hitColumns, hitWriter, isWholeRow, type Row, recordOf } from './search-hits.ts'
import { amongNamed } from './search-named.ts'
import { afterPosition, orderBy, type SortColumn } from './search-order.ts'
import { bestByScore } from './search-score.ts'
import { type Stretch, stretchesOf } from './search-stretches.ts'

export interface SearchedCopy extends CursorScope {
  readonly number: number
  readonly records: number
}

export interface HitsPage {
  readonly hits: string
  readonly count: number
  readonly nextCursor: string | null
}

export interface FoundRow {
  readonly row: Row
  readonly score: number
}

/** What every way of searching needs. */
export interface Search {
  readonly session: Session
  /** For statements that have one plan, whatever the values. */
  readonly kept: Session
  readonly table: CopyTable
  readonly copy: SearchedCopy
  readonly query: Query
  readonly after: Position | null
  /** Throws when the search has to end. */
  readonly tick: () => void
}

/** Statements about the records of the copy, in the order of the query. */
interface Walk {
  readonly sql: string
  readonly bind: Bindings
  readonly recheck: Recheck
}

export async function runSearch(asked: Omit<Search, 'after'>): Promise<HitsPage> {
  const { table, copy, query } = asked
  const search: Search = { ...asked, after: readCursor(copy, table.searchable, query) }
  const found = (await bestByScore(search)) ?? (await alongOrder(search))
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const write = hitWriter(table, query)
  return {
    hits: `[${page.map(({ row, score }) => write(row, score)).join()}]`,
    count: page.length,
    nextCursor:
      found.length > page.length && last !== undefined
        ? writeCursor(copy, query, positionOf(query, recordOf(table, last.row), last.score))
        : null,
  }
}

/** The first hits, one more than asked, so that it is known whether there is a next page. */
async function alongOrder(search: Search): Promise<FoundRow[]> {
  const { table, query, after } = search
  const most = query.limit + 1
  const columns = new Map(table.scalars.map((column) => [column.field, column]))
  const sort: SortColumn[] = query.sort.map(({ field, descending }) => ({ column: columns.get(field)!, descending }))
  const named = await fromWords(search, sort, most)
  if (named !== null) return named
  const found: FoundRow[] = []
  for await (const stretch of stretchesOf(search, { sort, after, within: [] })) {
    found.push(...(await hitsOf(search, walk(search, stretch), most - found.length)))
    if (found.length >= most) break
  }
  return found
}

/** The first hits among the few records that the index of words names; null when they are not few. */
async function fromWords(search: Search, sort: readonly SortColumn[], most: number): Promise<FoundRow[] | null> {
  const { table, copy, query, after } = search
  const bind = new Bindings()
  const compiler = new ConditionCompiler(table, copy.number, bind)
  const narrow = compiler.narrow(query.filter)
  if (narrow === null) return null
  const where = `${compiler.compile(query.filter)} and ${afterPosition(bind, sort, after)}`
  const named = { bind, narrow, where, order: orderBy(sort) }
  const meets = recheckOf(search, compiler.recheck)
  const rows = await amongNamed(search, named, most)
  if (rows === null) return null
  const hits = rows.filter(meets)
  // Where some are no hits after all, there may be more behind the last.
  const isAll = hits.length === rows.length || rows.length < most
  const found = isAll ? hits : ((await amongNamed(search, named, null)) ?? []).filter(meets).slice(0, most)
  return found.map(scorer(search))
}

function walk({ table, copy, query }: Search, { where, order }: Stretch): Walk {
  const bind = new Bindings()
  const compiler = new ConditionCompiler(table, copy.number, bind)
  const parts = [`t._copy = ${bind.add(copy.number, 'int4')}`, compiler.compile(query.filter), ...where(bind)]
  const sql = `select ${hitColumns(table)} from ${table.name} as t where ${parts.join(' and ')} order by ${order}`
  return { sql, bind, recheck: compiler.recheck }
}

/** The first of a walk that meet the filter. */
async function hitsOf(search: Search, { sql, bind, recheck }: Walk, limit: number): Promise<FoundRow[]> {
  const meets = recheckOf(search, recheck)
  const asFound = scorer(search)
  if (recheck !== 'all') {
    const rows = await search.session.rows(`${sql} limit ${bind.add(limit, 'int8')}`, bind.values)
    bind.values.pop()
    const hits = rows.filter(meets)
    // Nearly always all of them are hits; otherwise there may be more behind the last.
    if (hits.length === rows.length || rows.length < limit) return hits.map(asFound)
  }
  const found: FoundRow[] = []
  for await (const row of rowsOf(search, sql, bind)) {
    if (meets(row) && found.push(asFound(row)) === limit) break
  }
  return found
}

/** Gives rows their scores, which an order of the query's own leaves without effect. */
function scorer({ table, query }: Search): (row: Row) => FoundRow {
  if (rankingsOf(query.filter).length === 0) return (row) => ({ row, score: 1 })
  const score = scoreOf(query.filter)
  return (row) => ({ row, score: score(recordOf(table, row).data) })
}

/** Whether a row that SQL found meets the filter. */
export function recheckOf({ table, query }: Search, recheck: Recheck): (row: Row) => boolean {
  if (recheck === 'none') return () => true
  const test = testOf(query.filter)
  return (row) => (recheck === 'overflowed' && isWholeRow(row)) || test(recordOf(table, row).data)
}

/** Rows in batches that grow, so that few are read in vain and many are read fast. */
export async function* rowsOf({ session, tick }: Search, sql: string, bind: Bindings): AsyncGenerator<Row> {
  await session.run(`declare found no scroll cursor for ${sql}`, ...bind.values)
  for (let size = 200; ; size = Math.min(size * 2, 2000)) {
    tick()
    const rows = await session.rows(`fetch ${size} from found`, [])
    yield* rows
    if (rows.length < size) break
  }
  await session.run('close found')
}
