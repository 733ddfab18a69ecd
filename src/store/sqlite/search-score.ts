/** Scores in SQL: as many checks as there are ranking conditions, added up. */
import { parseJson } from '../../json.ts'
import { countWords, rankingsOf, valueAt } from '../../search/evaluate.ts'
import type { Condition, Json } from '../../search/query.ts'
import type { CopyTable } from './copy-table.ts'
import { type Fragment, inDocument } from './search-condition.ts'

/** Counts words in a value. */
export type Count = (value: Json) => number

/** The score of a record that meets the condition, or null when every hit has 1. What SQL cannot count is added to `counts`. */
export function scoreExpression(table: CopyTable, condition: Condition, counts: Count[]): Fragment | null {
  const rankings = rankingsOf(condition)
  if (rankings.length === 0) return null
  const columns = new Map(table.scalars.map(({ field, column }) => [field, column]))
  const terms = rankings.map(({ path: [field, ...keys], words }) => {
    const wanted = new Set(words)
    const column = columns.get(field)
    const count: Count =
      column === undefined
        ? (json) => (json === null ? 0 : countWords(valueAt(parseJson(json as string) as Json, keys), wanted))
        : (value) => countWords(value, wanted)
    return `rank(${counts.push(count) - 1}, ${column === undefined ? inDocument(field) : `t.${column}`})`
  })
  return { sql: `max(1, ${terms.join(' + ')})`, params: [] }
}
