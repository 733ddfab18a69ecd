/** Runs a search over one copy in PostgreSQL. */
import { writeCursor } from '../../search/cursor.ts'
import { rankingsOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import { positionOf } from '../../search/search-records.ts'
import { type Steps, scoreStepsOf, testStepsOf } from '../../search/steps.ts'
import { LongText, takeSteps } from '../../turns.ts'
import { Bindings } from './bindings.ts'
import { type FoundRow, isOfCopy, type Search, sortOf } from './search-asked.ts'
import { bestByInnerKeys } from './search-best.ts'
import { ConditionCompiler, type Recheck } from './search-condition.ts'
import { hitColumns, hitWriter, isWholeRow, type Row, recordOf } from './search-hits.ts'
import { amongNamed, areFew, namedBy } from './search-named.ts'
import type { SortColumn } from './search-order.ts'
import { bestByScore } from './search-score.ts'
import { type Stretch, stretchesOf } from './search-stretches.ts'

export interface HitsPage {
  readonly hits: string | Buffer
  readonly count: number
  readonly nextCursor: string | null
}

/** Statements about the records of the copy, in the order of the query. */
interface Walk {
  readonly sql: string
  readonly bind: Bindings
  readonly recheck: Recheck
}

export async function runSearch(search: Search): Promise<HitsPage> {
  const sort = sortOf(search)
  const found =
    sort === null ? await bestByInnerKeys(search) : ((await bestByScore(search)) ?? (await alongOrder(search, sort)))
  return pageOf(search, found)
}

/** What is given of the hits, of which there may be one more than asked; written in turns with other work, since they may be many. */
export async function pageOf({ table, copy, query, tick }: Search, found: readonly FoundRow[]): Promise<HitsPage> {
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const write = hitWriter(table, query)
  const hits = new LongText()
  let separator = ''
  for (const { row, score } of page) {
    const others = hits.add(separator + write(row, score))
    separator = ','
    if (others === undefined) continue
    await others
    tick()
  }
  return {
    hits: hits.written(),
    count: page.length,
    nextCursor:
      found.length > page.length && last !== undefined
        ? writeCursor(copy, query, positionOf(query, recordOf(table, last.row), last.score))
        : null,
  }
}

/** The first hits, one more than asked, so that it is known whether there is a next page. */
async function alongOrder(search: Search, sort: readonly SortColumn[]): Promise<FoundRow[]> {
  const { query, after } = search
  const most = query.limit + 1
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
  const bind = new Bindings()
  const compiler = new ConditionCompiler(search, bind, 'named')
  const named = namedBy(search, compiler, bind, sort)
  if (named === null) return null
  const few = areFew(search)
  const rows = await amongNamed(search, named, most, few)
  if (rows === null) return null
  const hits = await hitsAmong(search, compiler.recheck, rows)
  // Where some are no hits after all, there may be more behind the last.
  if (hits.length === rows.length || rows.length < most) return hits
  return hitsAmong(search, compiler.recheck, (await amongNamed(search, named, null, true)) ?? [], most)
}

function walk(search: Search, { where, order }: Stretch): Walk {
  const { table, query } = search
  const bind = new Bindings()
  const compiler = new ConditionCompiler(search, bind)
  const parts = [isOfCopy(search, bind), compiler.compile(query.filter), ...where(bind)]
  const sql = `select ${hitColumns(table)} from ${table.name} as t where ${parts.join(' and ')} order by ${order}`
  return { sql, bind, recheck: compiler.recheck }
}

/** The first of a walk that meet the filter. */
async function hitsOf(search: Search, { sql, bind, recheck }: Walk, limit: number): Promise<FoundRow[]> {
  if (recheck !== 'all') {
    const rows = await search.session.rows(`${sql} limit ${bind.add(limit, 'int8')}`, bind.values)
    bind.values.pop()
    const hits = await hitsAmong(search, recheck, rows)
    // Nearly always all of them are hits; otherwise there may be more behind the last.
    if (hits.length === rows.length || rows.length < limit) return hits
  }
  const look = lookOf(search, recheck)
  const found: FoundRow[] = []
  for await (const row of rowsOf(search, sql, bind)) {
    const looked = look(row)
    const hit = looked instanceof Promise ? await looked : looked
    if (hit !== null && found.push(hit) === limit) break
  }
  return found
}

/** The first rows that are hits, with their scores; looked at in turns with other work, since they may be many and long. */
export async function hitsAmong(
  search: Search,
  recheck: Recheck,
  rows: readonly Row[],
  most = rows.length,
): Promise<FoundRow[]> {
  const look = lookOf(search, recheck)
  const found: FoundRow[] = []
  for (const row of rows) {
    const looked = look(row)
    const hit = looked instanceof Promise ? await looked : looked
    if (hit !== null && found.push(hit) === most) break
  }
  return found
}

/**
 * Makes the look at a row that SQL found, which gives it its score, or null when it is no hit after all. An order of the
 * query's own leaves the score without effect.
 */
export function lookOf(search: Search, recheck: Recheck): (row: Row) => FoundRow | null | Promise<FoundRow | null> {
  const { table, query, tick } = search
  const score = rankingsOf(query.filter).length === 0 ? null : scoreStepsOf(query.filter)
  if (score === null && recheck === 'none') return (row) => ({ row, score: 1 })
  const meets = recheckOf(search, recheck)
  const take = takeSteps(tick)
  function* look(row: Row): Steps<FoundRow | null> {
    // A row is a step as well, since only reading it may take long.
    yield
    if (!(yield* meets(row))) return null
    return { row, score: score === null ? 1 : yield* score(recordOf(table, row).data) }
  }
  return (row) => take(look(row))
}

/** Whether a row that SQL found meets the filter. */
function recheckOf({ table, query }: Search, recheck: Recheck): (row: Row) => Steps<boolean> {
  const test = testStepsOf(query.filter)
  const fields = new Set(fieldsOf(query.filter))
  const of = [...fields].every((field) => table.columns.has(field)) ? fields : null
  return function* (row) {
    if (recheck === 'none' || (recheck === 'overflowed' && isWholeRow(row))) return true
    return yield* test(recordOf(table, row, of).data)
  }
}

/** The searchable fields that a condition is about. */
function fieldsOf(condition: Condition): readonly string[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.of.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(condition.of)
    default:
      return [condition.path[0]]
  }
}

/** Rows in batches that grow, so that few are read in vain and many are read fast. */
export async function* rowsOf({ session, tick }: Search, sql: string, bind: Bindings): AsyncGenerator<Row> {
  const fetch = (size: number) => session.rows(`fetch ${size} from found`, [])
  const declared = session.run(`declare found no scroll cursor for ${sql}`, ...bind.values)
  // Sent together: few searches need more than the first batch.
  let size = 200
  let [rows] = await Promise.all([fetch(size), declared])
  for (;;) {
    yield* rows
    if (rows.length < size) break
    tick()
    size = Math.min(size * 2, 2000)
    rows = await fetch(size)
  }
  // Nobody waits for it; if it fails, so does the next statement.
  session.run('close found').catch(() => {})
}
