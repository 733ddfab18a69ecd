/** Scores in SQL, and the conditions of each score. */
import { parseJson } from '../../json.ts'
import { type Ranking, rankingsOf, textsIn, valueAt } from '../../search/evaluate.ts'
import type { Condition, Json } from '../../search/query.ts'
import { wordCounter } from '../../search/word-matcher.ts'
import { type CopyTable, inDocument } from './copy-table.ts'
import type { Fragment } from './search-condition.ts'

/** Counts words in a value. */
export type Count = (value: Json) => number

/** The score of a record that meets the condition, or null when every hit has 1. What SQL cannot count is added to `counts`. */
export function scoreExpression(table: CopyTable, condition: Condition, counts: Count[]): Fragment | null {
  const rankings = rankingsOf(condition)
  if (rankings.length === 0) return null
  const terms = rankings.map(({ path: [field, ...keys], words }) => {
    const column = table.columns.get(field)?.column
    const count = wordCounter(words)
    const counted: Count =
      column === undefined
        ? (json) => (json === null ? 0 : count(textsIn(valueAt(parseJson(json as string) as Json, keys))))
        : (value) => count(textsIn(value))
    return `rank(${counts.push(counted) - 1}, ${column === undefined ? inDocument(field) : `t.${column}`})`
  })
  return { sql: `max(1, ${terms.join(' + ')})`, params: [] }
}

/** With more words there are too many ways to have some of them. */
const mostWords = 5

/** The highest score first: what records of at least this score meet. Null where they are too many to go through one by one. */
export function tiersOf(condition: Condition): { readonly score: number; readonly condition: Condition }[] | null {
  const words = rankingsOf(condition).flatMap((ranking) =>
    ranking.words.map((word): Ranking => ({ ...ranking, words: [word] })),
  )
  if (words.length > mostWords) return null
  return words.map((_, index) => {
    const score = words.length - index
    // Who has none of them meets the condition otherwise, and has 1 as well.
    if (score === 1) return { score, condition }
    const ways = choices(words, score).map((of): Condition => ({ op: 'and', of }))
    return { score, condition: { op: 'and', of: [condition, { op: 'or', of: ways }] } }
  })
}

/** Every way to take so many of the list. */
function choices<Item>(list: readonly Item[], count: number): Item[][] {
  if (count === 0) return [[]]
  return list.flatMap((item, index) => choices(list.slice(index + 1), count - 1).map((rest) => [item, ...rest]))
}
