/** Runs a search over one copy in PostgreSQL. */
import { type CursorScope, type Position, readCursor, writeCursor } from '../../search/cursor.ts'
import { rankingsOf, scoreOf, testOf } from '../../search/evaluate.ts'
import type { Query } from '../../search/query.ts'
import { positionOf } from '../../search/search-records.ts'
import { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import type { Session } from './database.ts'
import { equal, keyOf } from './search-columns.ts'
import { ConditionCompiler, type Recheck } from './search-condition.ts'
import { hitColumns, hitWriter, isWholeRow, type Row, recordOf } from './search-hits.ts'
import { afterPosition, orderBy, type SortColumn, startOfOrder } from './search-order.ts'
import { bestByScore } from './search-score.ts'

export interface SearchedCopy extends CursorScope {
  readonly number: number
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

export async function runSearch(
  session: Session,
  table: CopyTable,
  copy: SearchedCopy,
  query: Query,
  tick: () => void,
): Promise<HitsPage> {
  const search: Search = { session, table, copy, query, after: readCursor(copy, table.searchable, query), tick }
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
  const found: FoundRow[] = []
  for (const part of partsOf(search)) {
    const limit = search.query.limit + 1 - found.length
    if (limit === 0) break
    found.push(...(await hitsOf(search, walk(search, part), limit)))
  }
  return found
}

/** What the first column of the order has: any value, one certain value, or none. */
type Part = 'values' | boolean | 'nulls' | 'either'

// Nulls are last in both directions, which one walk along an index cannot give: first those with a value, then the others.
// Downwards an index gives equal values in the wrong order, which matters where there are only two and so many of each.
function partsOf({ table, query, after }: Search): readonly Part[] {
  const [first] = query.sort
  if (first === undefined) return ['either']
  const key = after?.keys[0]
  if (key === null) return ['nulls']
  if (table.searchable[first.field] !== 'boolean' || !first.descending) return ['values', 'nulls']
  return key === false ? [false, 'nulls'] : [true, false, 'nulls']
}

function walk({ table, copy, query, after }: Search, part: Part): Walk {
  const columns = new Map(table.scalars.map((column) => [column.field, column]))
  const sort: SortColumn[] = query.sort.map(({ field, descending }) => ({ column: columns.get(field)!, descending }))
  const bind = new Bindings()
  const compiler = new ConditionCompiler(table, copy.number, bind)
  const where = [`t._copy = ${bind.add(copy.number, 'int4')}`, compiler.compile(query.filter)]
  if (part === 'values') where.push(`${keyOf(sort[0]!.column)} is not null`, startOfOrder(bind, sort, after))
  else if (part !== 'either') where.push(equal(bind, sort[0]!.column, part === 'nulls' ? null : part))
  where.push(afterPosition(bind, sort, after))
  const order = orderBy(sort, part === 'values' || part === 'either' ? part : 'one value')
  const sql = `select ${hitColumns(table)} from ${table.name} as t where ${where.join(' and ')} order by ${order}`
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
