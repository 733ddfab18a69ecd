/** Turns a query into a plan without a database: which records to look for, in which order, stage by stage. */
import { conjuncts } from './candidates.ts'
import { type CursorScope, readCursor } from './cursor.ts'
import { type Ranking, rankingsOf } from './evaluate.ts'
import type { Position } from './position.ts'
import { type Columns, type Condition, columnName, type Query, type SortKey } from './query.ts'

export interface Plan {
  /** Hits of one stage come before those of the next. */
  readonly stages: readonly Stage[]
  /** One hit more than the page shows whether there is a next page. */
  readonly most: number
}

export interface Stage {
  readonly filter: Condition
  /** What has a column, whose order an index can have; ties sort by id. Null if only JavaScript can determine the order. */
  readonly sort: readonly SortKey[] | null
  /** Where the hits begin. */
  readonly after: Position | null
  /** The score of all its hits; null if each has its own. */
  readonly score: number | null
}

export function planOf(scope: CursorScope, columns: Columns, query: Query): Plan {
  return { stages: stagesOf(columns, query, readCursor(scope, columns.searchable, query)), most: query.limit + 1 }
}

function stagesOf({ columns }: Columns, { filter, sort }: Query, after: Position | null): Stage[] {
  const rankings = rankingsOf(filter)
  const score = rankings.length === 0 ? 1 : null
  if (sort.length > 0) {
    if (!sort.every(({ path }) => columns.has(columnName(path)))) return [{ filter, sort: null, after, score }]
    // A value that all hits share orders nothing.
    const shared = conjuncts(filter).flatMap((part) => (part.op === 'eq' ? columnName(part.path) : []))
    const tells = (_: unknown, place: number) => !shared.includes(columnName(sort[place]!.path))
    const place = after === null ? null : { ...after, keys: after.keys.filter(tells) }
    return [{ filter, sort: sort.filter(tells), after: place, score }]
  }
  if (score !== null) return [{ filter, sort: [], after: withoutKeys(after), score }]
  const words = rankings.flatMap((ranking) => ranking.words.map((word): Ranking => ({ ...ranking, words: [word] })))
  if (words.length > mostWords) return [{ filter, sort: null, after, score }]
  return words.flatMap((_, index): Stage[] => {
    const score = words.length - index
    const reached = after === null ? score : Number(after.keys[0])
    if (reached < score) return []
    const stage = { filter: withScore(filter, words, score), sort: [], score }
    return [{ ...stage, after: reached === score ? withoutKeys(after) : null }]
  })
}

/**
 * Up to this many words, the plan ranks one score after the other: it examines all of the few records with most of
 * the words, and of the many others only the first. Ranking all records with one of three common words takes a
 * hundred times as long. More words have too many combinations.
 */
const mostWords = 5

/**
 * The condition for records with exactly this score. A record without the words meets the rest of the filter, and
 * also has 1.
 */
function withScore(filter: Condition, words: readonly Ranking[], score: number): Condition {
  const atLeast = (count: number): Condition => ({ op: 'or', of: choices(words, count).map(all) })
  const parts = [filter]
  if (score > 1) parts.push(atLeast(score))
  if (score < words.length) parts.push({ op: 'not', of: atLeast(score + 1) })
  return { op: 'and', of: parts }
}

const all = (of: readonly Condition[]): Condition => (of.length === 1 ? of[0]! : { op: 'and', of })

/** Every way to choose this many of the list. */
function choices<Item>(list: readonly Item[], count: number): Item[][] {
  if (count === 0) return [[]]
  return list.flatMap((item, index) => choices(list.slice(index + 1), count - 1).map((rest) => [item, ...rest]))
}

/** Among hits of one score, the id alone says where to continue. */
const withoutKeys = (after: Position | null): Position | null => (after === null ? null : { keys: [], id: after.id })
