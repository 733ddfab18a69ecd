/** Runs a search over one copy in SQLite. */

import { conjuncts } from '../../search/conjuncts.ts'
import { type CursorScope, type Position, readCursor, writeCursor } from '../../search/cursor.ts'
import { compareTexts } from '../../search/order.ts'
import type { Query, Scalar } from '../../search/query.ts'
import type { CopyTable } from './copy-table.ts'
import { always, type Bound, type Check, ConditionCompiler, type Fragment, joined } from './search-condition.ts'
import type { Running } from './search-functions.ts'
import { hitWriter, writeHits } from './search-hits.ts'
import type { Landmarks } from './search-landmarks.ts'
import { type InnerKey, sortTerm } from './search-order.ts'
import { Planner } from './search-plan.ts'
import { type Count, scoreExpression, tiersOf } from './search-score.ts'
import type { SearchStatements } from './search-statements.ts'
import { ticking } from './search-ticking.ts'
import {
  alongIds,
  alongSort,
  fromStart,
  type IndexedSearch,
  idAfter,
  isIndexed,
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
  /** JSON with commas between the hits, in UTF-8. */
  readonly hits: Uint8Array<ArrayBuffer>
  readonly count: number
  readonly nextCursor: string | null
}

/** What stays with a connection from one search to the next. */
export interface Searcher {
  readonly statements: SearchStatements
  readonly landmarks: Landmarks
  /** Says which search is running to the functions that statements call. */
  readonly use: (running: Running) => void
}

export function runSearch(
  { statements, landmarks, use }: Searcher,
  table: CopyTable,
  copy: SearchedCopy,
  query: Query,
  tick: () => void,
): HitsPage {
  const checks: Check[] = []
  const counts: Count[] = []
  const keys: InnerKey[] = []
  const compiler = new ConditionCompiler(table, checks)
  const filter = compiler.compile(query.filter)
  const ranking = scoreExpression(table, query.filter, counts)
  const isSorted = query.sort.length > 0
  use({ checks, counts, keys, tick })
  const search: Search = {
    statements,
    landmarks,
    table,
    copy: copy.number,
    records: copy.records,
    condition: query.filter,
    filter,
    ticking: ticking(compiler.patternLength),
    likely: () => new ConditionCompiler(table, checks, true).compile(query.filter),
    tier: always,
    sort: query.sort.map((sorted) => sortTerm(table, sorted, keys)),
    score: isSorted ? null : ranking,
    after: readCursor(copy, table.searchable, query),
  }
  // One more than asked tells whether there is a next page.
  const most = query.limit + 1
  const found = ranking === null || isSorted ? inOrder(search, most) : byScore(search, ranking, most)
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const points = ranking?.sql ?? '1'
  // Before the hits are written, which fills the processor's caches with them.
  const nextCursor =
    found.length > page.length && last !== undefined ? writeCursor(copy, query, positionOf(search, points, last)) : null
  const hits = writeHits(statements, table, hitWriter(table, query.fields, points), page)
  return { hits, count: page.length, nextCursor }
}

const inOrder = (search: Search, most: number): number[] =>
  isIndexed(search) ? choose(search, most) : overAll(search, most)

/** All that an index names, where one names any. */
function overAll(search: Search, most: number): number[] {
  const { condition, records } = search
  const start = new Planner(search).start(condition, { byIndex: records + 1, byWords: records + 1 }, false)
  return take(search, [start === null ? overall(search) : fromStart(search, start)], most)
}

/**
 * One score after the other: of the few records that have most of the words all are looked at, and of the many others the
 * first are enough, because within one score the hits come in the order of their ids.
 */
function byScore(search: Search, score: Fragment, most: number): number[] {
  const tiers = tiersOf(search.condition)
  if (tiers === null) return overAll(search, most)
  const found: number[] = []
  for (const { score: points, condition } of tiers) {
    const { after } = search
    if (after !== null && Number(after.keys[0]) < points) continue
    const within = after !== null && Number(after.keys[0]) === points ? { keys: [], id: after.id } : null
    const tier = { sql: `${score.sql} = ?`, params: [...score.params, points] }
    found.push(...inOrder({ ...search, condition, tier, score: null, after: within }, most - found.length))
    if (found.length >= most) break
  }
  return found
}

/** Goes the way that looks at the fewest records, as far as that can be known without looking at more. */
function choose(search: IndexedSearch, most: number): number[] {
  const { condition, records } = search
  const planner = new Planner(search)
  const [first] = search.sort
  const equality = first === undefined ? planner.equality(condition) : null
  const bounds = first === undefined ? [] : planner.bounds(condition, first.column)
  const walks = (upTo: Bound = null) =>
    first === undefined ? [alongIds(search, equality, { upTo })] : alongSort(search, bounds, upTo)
  // An index that answers all of the condition in the wanted order leaves nothing to choose, nor to check.
  if (condition.op !== 'and' && equality !== null)
    return take(search, [alongIds({ ...search, filter: always }, equality)], most)
  if (bounds.length > 0 && bounds.length === conjuncts(condition).length) return take(search, walks(), most)
  if (condition.op === 'and' && condition.of.length === 0) return take(search, walks(), most)
  const equalities = first === undefined ? planner.equalities(condition) : []
  if (equalities.length > 0)
    return sideBySide(
      search,
      equalities.map((one) => alongIds({ ...search, filter: always }, one)),
      most,
    )

  // Along an order about limit × records ÷ hits are looked at, from a start all that it names: here the two are even.
  const even = Math.max(fewRecords, Math.sqrt((most * records) / 2))
  const few = planner.start(condition, { byIndex: Math.min(even, fewEntries), byWords: fewRecords }, true)
  if (few !== null) return take(search, [fromStart(search, few)], most)
  // What was found on the first steps along the ids, and where these ended.
  let begun: { readonly found: readonly number[]; readonly upTo: Bound } = { found: [], upTo: null }
  const firstSteps = 1000 + 20 * most
  let enough = even
  for (const quick of planner.isSlow(condition) ? [true, false] : [true]) {
    // What many records meet is found on the first steps of the walk, for less than it costs to count them.
    const steps = quick ? firstSteps : firstSteps * 10
    // Behind a null there are only nulls, which are no steps along the values.
    if (planner.spacing * most < steps && search.after?.keys[0] !== null) {
      const upTo = first === undefined ? idAfter(search, equality, steps) : sortKeyAfter(search, bounds, steps)
      if (upTo === null) break
      const near = take(search, walks(upTo), most)
      if (near.length >= most) return near
      if (first === undefined) begun = { found: near, upTo }
      // What is missing is found on a few times as many steps, for less than it costs to look for a start.
      if (near.length * 4 >= most) break
      // Hits may stand close together far away, as those of one day do. A named record is dearer than a step.
      const stepsLeft = near.length === 0 ? records : (steps * most) / near.length
      enough = Math.max(even, Math.min(records, stepsLeft) / 4)
    }
    const start = planner.start(condition, { byIndex: enough, byWords: even }, quick)
    if (start !== null) return take(search, [fromStart(search, start)], most)
  }
  if (begun.upTo === null) return take(search, walks(), most)
  const rest = alongIds(search, equality, { from: begun.upTo })
  return [...begun.found, ...take(search, [rest], most - begun.found.length)]
}

/** So many records are read in half a millisecond, whatever the rest looks like. */
const fewRecords = 100
/** So many entries of an index are counted in a twentieth of a millisecond. */
const fewEntries = 1500

/** The first by id of several walks along the ids. One record may be on several, where values are equal. */
function sideBySide(search: Search, walks: readonly Walk[], most: number): number[] {
  const found = walks.flatMap((walk) => {
    const { sql, params } = statementOf(search, 't._record, t._id', walk, most)
    return search.statements.all(sql, params) as (readonly [number, string])[]
  })
  return [...new Map(found)]
    .sort(([, one], [, other]) => compareTexts(one, other))
    .slice(0, most)
    .map(([record]) => record)
}

/** The first records of the walks, one walk after the other. */
function take(search: Search, walks: Iterable<Walk>, most: number): number[] {
  const found: number[] = []
  for (const walk of walks) {
    const { sql, params } = statementOf(search, 't._record', walk, most - found.length)
    found.push(...search.statements.records(sql, params))
    if (found.length >= most) break
  }
  return found
}

function statementOf({ table, ticking }: Search, what: string, { from, where, order }: Walk, most: number): Fragment {
  const { sql, params } = joined('and', [...where, ticking])
  return {
    sql: `select ${what} from ${table.name} as t ${from} where ${sql} order by ${order} limit ?`,
    params: [...params, most],
  }
}

/** A hit's place in the order, as the database has it. */
function positionOf({ statements, table, sort }: Search, score: string, record: number): Position {
  const keys = sort.length === 0 ? score : sort.map(({ key }) => key).join(', ')
  const [id, ...values] = statements.first(`select t._id, ${keys} from ${table.name} as t where t._record = ?`, [
    record,
  ])!
  return {
    keys:
      sort.length === 0 ? (values as number[]) : sort.map(({ column }, place) => keyFrom(column?.type, values[place])),
    id: id as string,
  }
}

const keyFrom = (type: string | undefined, stored: unknown): Scalar | null =>
  type === 'boolean' && stored !== null ? stored === 1 : (stored as Scalar | null)
