/** Turns a query into a plan that no database has a part in: which records to look for, in which order, one stage after the other. */
import { type CursorScope, type Position, readCursor } from './cursor.ts'
import { type Ranking, rankingsOf } from './evaluate.ts'
import type { Condition, Query, Searchable, SortKey } from './query.ts'

export interface Plan {
  /** Hits of one stage come before those of the next. */
  readonly stages: readonly Stage[]
  /** One more than the page holds tells whether there is a next page. */
  readonly most: number
}

export interface Stage {
  readonly filter: Condition
  /** Fields of columns, which an index can have in order; ties go by id. Null where only the language knows the order. */
  readonly sort: readonly SortKey[] | null
  /** Where the hits begin. */
  readonly after: Position | null
  /** The score of all its hits; null where each has its own. */
  readonly score: number | null
}

export function planOf(scope: CursorScope, searchable: Searchable, query: Query): Plan {
  return { stages: stagesOf(query, readCursor(scope, searchable, query)), most: query.limit + 1 }
}

function stagesOf({ filter, sort }: Query, after: Position | null): Stage[] {
  const rankings = rankingsOf(filter)
  const score = rankings.length === 0 ? 1 : null
  if (sort.length > 0) {
    const isOfColumns = sort.every(({ path }) => path.length === 1)
    return [{ filter, sort: isOfColumns ? sort : null, after, score }]
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
 * Up to so many words are ranked one score after the other: the few records with most of the words are all looked at, and of the
 * many others the first are enough. Ranking all that have one of three common words takes a hundred times as long. With
 * more words there are too many ways to have some of them.
 */
const mostWords = 5

/** What records of exactly this score meet. One that has none of the words meets the filter otherwise, and has 1 as well. */
function withScore(filter: Condition, words: readonly Ranking[], score: number): Condition {
  const atLeast = (count: number): Condition => ({ op: 'or', of: choices(words, count).map(all) })
  const parts = [filter]
  if (score > 1) parts.push(atLeast(score))
  if (score < words.length) parts.push({ op: 'not', of: atLeast(score + 1) })
  return { op: 'and', of: parts }
}

const all = (of: readonly Condition[]): Condition => (of.length === 1 ? of[0]! : { op: 'and', of })

/** Every way to take so many of the list. */
function choices<Item>(list: readonly Item[], count: number): Item[][] {
  if (count === 0) return [[]]
  return list.flatMap((item, index) => choices(list.slice(index + 1), count - 1).map((rest) => [item, ...rest]))
}

/** Among hits of one score the id alone tells where to go on. */
const withoutKeys = (after: Position | null): Position | null => (after === null ? null : { keys: [], id: after.id })
