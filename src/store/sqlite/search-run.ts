/** Runs a search over one copy in SQLite. */
import { type CursorScope, readCursor, writeCursor } from '../../search/cursor.ts'
import type { Query } from '../../search/query.ts'
import { positionOf } from '../../search/search-records.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable } from './copy-table.ts'
import { type Check, ConditionCompiler, type Fragment, joined, keyOf } from './search-condition.ts'
import { type Running, ticking } from './search-functions.ts'
import { hitWriter, type Row } from './search-hits.ts'
import { afterPosition, afterScore, orderBy, type SortColumn, startOfOrder } from './search-order.ts'
import { orderIndex, Planner } from './search-plan.ts'
import { type Count, scoreExpression } from './search-score.ts'

export interface SearchedCopy extends CursorScope {
  readonly number: number
  readonly records: number
}

export interface HitsPage {
  readonly hits: string
  readonly count: number
  readonly nextCursor: string | null
}

/** A way along records: those that meet the filter, in the order of the query. */
interface Walk {
  readonly from: string
  readonly where: readonly Fragment[]
  readonly order: string
  /** The records do not come in this order by themselves, so that all are looked at before the first is known. */
  readonly sorts: boolean
}

export function runSearch(
  statements: CopyStatements,
  use: (running: Running) => void,
  table: CopyTable,
  copy: SearchedCopy,
  query: Query,
  tick: () => void,
): HitsPage {
  const checks: Check[] = []
  const counts: Count[] = []
  const filter = new ConditionCompiler(table, checks).compile(query.filter)
  const score = scoreExpression(table, query.filter, counts)
  use({ checks, counts, tick })
  const writer = hitWriter(table, query)
  const scored = score?.sql ?? '1'
  const found: { row: Row; score: number }[] = []
  // One more than asked tells whether there is a next page.
  for (const walk of walksOf(statements, table, copy, query, filter, score)) {
    const { sql, params } = joined('and', [...walk.where, ticking])
    const limit = query.limit + 1 - found.length
    if (limit === 0) break
    const select = (columns: string) =>
      `select ${columns}, ${scored} from ${table.name} as t ${walk.from} where ${sql} order by ${walk.order} limit ?`
    if (walk.sorts) {
      // Sorting carries only the records' numbers along; the hits are read afterwards.
      const read = statements.prepare(`select ${writer.columns} from ${table.name} as t where t._record = ?`)
      for (const [record, points] of rows(statements, select('t._record'), [...params, limit]))
        found.push({ row: read.safeIntegers(true).raw(true).get(record) as Row, score: Number(points) })
    } else {
      for (const row of rows(statements, select(writer.columns), [...params, limit]))
        found.push({ row: row.slice(0, -1), score: Number(row.at(-1)) })
    }
  }
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    hits: `[${page.map(({ row, score: points }) => writer.write(row, points)).join()}]`,
    count: page.length,
    nextCursor:
      found.length > page.length && last !== undefined
        ? writeCursor(copy, query, positionOf(query, writer.record(last.row), last.score))
        : null,
  }
}

const rows = (statements: CopyStatements, sql: string, params: readonly unknown[]): unknown[][] =>
  statements
    .prepare(sql)
    .safeIntegers(true)
    .raw(true)
    .all(...params) as unknown[][]

/** Where to look, one after the other, for the hits of a query. */
function walksOf(
  statements: CopyStatements,
  table: CopyTable,
  copy: SearchedCopy,
  query: Query,
  filter: Fragment,
  score: Fragment | null,
): Walk[] {
  const after = readCursor(copy, table.searchable, query)
  const columns = new Map(table.scalars.map((column) => [column.field, column]))
  const sort: SortColumn[] = query.sort.map(({ field, descending }) => ({ column: columns.get(field)!, descending }))
  const planner = new Planner(statements, table, copy.number)
  const own: Fragment = { sql: 't._copy = ?', params: [copy.number] }
  const byScore = score !== null && sort.length === 0
  const place = byScore ? afterScore(score, after) : afterPosition(sort, after)
  // The second column is the score, which is not worked out again for the order.
  const order = byScore ? '2 desc, t._id' : orderBy(sort)

  const equality = sort.length === 0 && !byScore ? planner.equality(query.filter) : null
  const [first] = sort
  const bounds = first === undefined ? [] : planner.bounds(query.filter, first.column)
  // An index that answers the only condition in the wanted order leaves nothing to choose.
  const answered = query.filter.op !== 'and' && (equality !== null || bounds.length > 0)
  if (!answered) {
    // Along an order about limit × records ÷ hits are looked at, from a start all that it names: here the two are even.
    const even = Math.max(500, Math.sqrt((query.limit * copy.records) / 2))
    const start = planner.start(query.filter, byScore ? copy.records + 1 : even)
    if (start !== null) {
      const named = { sql: `t._record in (${start.select.sql})`, params: start.select.params }
      return [{ from: 'not indexed', where: [named, own, filter, place], order, sorts: true }]
    }
  }
  if (byScore)
    return [{ from: `indexed by ${orderIndex(table, null)}`, where: [own, filter, place], order, sorts: true }]
  if (first === undefined) {
    const along = equality === null ? [own] : [own, equality.condition]
    const from = `indexed by ${orderIndex(table, equality?.column ?? null)}`
    return [{ from, where: [...along, filter, place], order, sorts: false }]
  }
  // Nulls are last in both directions, which one walk along an index cannot give: first those with a value, then the others.
  const from = `indexed by ${orderIndex(table, first.column)}`
  const key = keyOf(first.column)
  const values: Walk = {
    from,
    where: [own, { sql: `${key} is not null`, params: [] }, ...bounds, startOfOrder(sort, after), filter, place],
    order: orderBy(sort, 'values'),
    sorts: false,
  }
  const nulls: Walk = {
    from,
    where: [own, { sql: `${key} is null`, params: [] }, filter, place],
    order: orderBy(sort, 'nulls'),
    sorts: false,
  }
  return after !== null && after.keys[0] === null ? [nulls] : [values, nulls]
}
