/** Runs a search over one copy in SQLite. */
import { type CursorScope, readCursor, writeCursor } from '../../search/cursor.ts'
import { rankingsOf } from '../../search/evaluate.ts'
import type { Condition, Query } from '../../search/query.ts'
import { positionOf } from '../../search/search-records.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable } from './copy-table.ts'
import { type Bound, type Check, ConditionCompiler, joined } from './search-condition.ts'
import { type Running, ticking } from './search-functions.ts'
import { hitWriter, type Row } from './search-hits.ts'
import { Planner } from './search-plan.ts'
import { type Count, scoreExpression } from './search-score.ts'
import {
  alongIds,
  alongSort,
  fromStart,
  idAfter,
  overall,
  type Search,
  sortKeyAfter,
  type Walk,
} from './search-walks.ts'

export interface SearchedCopy extends CursorScope {
  readonly number: number
  readonly records: number
}

export interface HitsPage {
  readonly hits: string
  readonly count: number
  readonly nextCursor: string | null
}

interface Found {
  readonly row: Row
  readonly score: number
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
  const compiler = new ConditionCompiler(table, checks)
  const filter = compiler.compile(query.filter)
  const score = scoreExpression(table, query.filter, counts)
  use({ checks, counts, tick })
  const columns = new Map(table.scalars.map((column) => [column.field, column]))
  const search: Search = {
    table,
    copy: copy.number,
    filter,
    sort: query.sort.map(({ field, descending }) => ({ column: columns.get(field)!, descending })),
    score: query.sort.length === 0 ? score : null,
    after: readCursor(copy, table.searchable, query),
  }
  const writer = hitWriter(table, query)
  const select = (walks: Iterable<Walk>): Found[] => {
    const found: Found[] = []
    for (const walk of walks) {
      // One more than asked tells whether there is a next page.
      const most = query.limit + 1 - found.length
      for (const hit of take(statements, table, writer.columns, score?.sql ?? '1', walk, most)) found.push(hit)
      if (found.length > query.limit) break
    }
    return found
  }
  const found =
    bestOf(compiler, statements, search, copy, query, select) ?? choose(statements, search, copy, query, select)
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    hits: `[${page.map((hit) => writer.write(hit.row, hit.score)).join()}]`,
    count: page.length,
    nextCursor:
      found.length > page.length && last !== undefined
        ? writeCursor(copy, query, positionOf(query, writer.record(last.row), last.score))
        : null,
  }
}

/**
 * A page of hits that have every word of the only `keyword`, when there are enough of them: nothing can have a better score,
 * so that they come in the order of their ids, and the many that have some of the words need not be looked at. Else null.
 */
function bestOf(
  compiler: ConditionCompiler,
  statements: CopyStatements,
  search: Search,
  copy: SearchedCopy,
  query: Query,
  select: (walks: Iterable<Walk>) => Found[],
): Found[] | null {
  const [ranking, ...others] = search.score === null ? [] : rankingsOf(query.filter)
  if (ranking === undefined || others.length > 0) return null
  if (search.after !== null && search.after.keys[0] !== ranking.words.length) return null
  const each = ranking.words.map((word): Condition => ({ ...ranking, words: [word] }))
  const filter: Condition = { op: 'and', of: [query.filter, ...each] }
  const best = { ...search, filter: compiler.compile(filter), score: null }
  const found = choose(statements, best, copy, { ...query, filter }, select)
  return found.length > query.limit ? found : null
}

/** Goes the way that looks at the fewest records, as far as that can be known without looking at more. */
function choose(
  statements: CopyStatements,
  search: Search,
  copy: SearchedCopy,
  query: Query,
  select: (walks: Iterable<Walk>) => Found[],
): Found[] {
  const planner = new Planner(statements, search.table, copy.number, copy.records)
  if (search.score !== null) {
    const start = planner.start(query.filter, copy.records + 1, false)
    return select([start === null ? overall(search) : fromStart(search, start)])
  }
  const [first] = search.sort
  const equality = first === undefined ? planner.equality(query.filter) : null
  const bounds = first === undefined ? [] : planner.bounds(query.filter, first.column)
  const walks = (upTo: Bound = null) =>
    first === undefined ? [alongIds(search, equality, upTo)] : alongSort(statements, search, bounds, upTo)
  // An index that answers the only condition in the wanted order leaves nothing to choose.
  if (query.filter.op !== 'and' && (equality !== null || bounds.length > 0)) return select(walks())
  if (query.filter.op === 'and' && query.filter.of.length === 0) return select(walks())

  const few = planner.start(query.filter, fewRecords, true)
  if (few !== null) return select([fromStart(search, few)])
  // Along an order about limit × records ÷ hits are looked at, from a start all that it names: here the two are even.
  const even = Math.max(fewRecords, Math.sqrt((query.limit * copy.records) / 2))
  const firstSteps = 1000 + 20 * query.limit
  for (const quick of planner.isSlow(query.filter) ? [true, false] : [true]) {
    // What many records meet is found on the first steps of the walk, for less than it costs to count them.
    const steps = quick ? firstSteps : firstSteps * 10
    // Behind a null there are only nulls, which are no steps along the values.
    if (planner.spacing * query.limit < steps && search.after?.keys[0] !== null) {
      const upTo =
        first === undefined
          ? idAfter(statements, search, equality, steps)
          : sortKeyAfter(statements, search, bounds, steps)
      if (upTo === null) return select(walks())
      const near = select(walks(upTo))
      if (near.length > query.limit) return near
    }
    const start = planner.start(query.filter, even, quick)
    if (start !== null) return select([fromStart(search, start)])
  }
  return select(walks())
}

/** So many records are read in a millisecond or two, whatever the rest looks like. */
const fewRecords = 500

/** The first records of a walk. */
function take(
  statements: CopyStatements,
  table: CopyTable,
  columns: string,
  score: string,
  { from, where, order, sorts }: Walk,
  most: number,
): Found[] {
  const { sql, params } = joined('and', [...where, ticking])
  const select = (what: string) =>
    `select ${what}, ${score} from ${table.name} as t ${from} where ${sql} order by ${order} limit ?`
  const rows = (text: string, ...values: unknown[]) =>
    statements
      .prepare(text)
      .safeIntegers(true)
      .raw(true)
      .all(...values) as unknown[][]
  if (!sorts)
    return rows(select(columns), ...params, most).map((row) => ({ row: row.slice(0, -1), score: Number(row.at(-1)) }))
  // Sorting carries only the records' numbers along; the hits are read afterwards.
  const read = statements.prepare(`select ${columns} from ${table.name} as t where t._record = ?`)
  return rows(select('t._record'), ...params, most).map(([record, points]) => ({
    row: read.safeIntegers(true).raw(true).get(record) as Row,
    score: Number(points),
  }))
}
