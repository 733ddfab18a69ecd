/** Sets of records that an index can name and that hold every hit, so that a search need not look at any other record. */
import { type Beginnings, type Comparison, comparisonOf } from './comparison.ts'
import { type Columns, type Condition, columnName } from './query.ts'
import { type Asking, type WordQuestion, wordQuestion } from './word-question.ts'

/** Records that meet all comparisons of one field, that have words, or that are in one of several sets. */
export type Candidates =
  | {
      readonly by: 'field'
      readonly field: string
      readonly all: readonly (Comparison | Beginnings)[]
      readonly exact: boolean
    }
  | { readonly by: 'words'; readonly question: WordQuestion; readonly exact: boolean }
  | { readonly by: 'union'; readonly of: readonly (readonly Candidates[])[]; readonly exact: boolean }

/** More sets than this make no short cut. */
const mostUnited = 100

/** Each of the sets holds every hit. `exact` says that it holds nothing else. */
export function candidatesOf(columns: Columns, condition: Condition, asking?: Asking): Candidates[] {
  const parts = conjuncts(condition)
  const found: Candidates[] = []
  const ofFields = parts.flatMap((part) => comparisonOf(columns, part) ?? [])
  // Several bounds of one field are one range of its index.
  for (const [field, all] of Map.groupBy(ofFields, ({ path }) => columnName(path))) {
    const exact = all.length === parts.length && all.every(({ op }) => op !== 'begins')
    found.push({ by: 'field', field, all, exact })
  }
  for (const part of parts) {
    if (part.op !== 'or' || part.of.length === 0 || part.of.length > mostUnited) continue
    const of = part.of.map((one) => candidatesOf(columns, one, asking))
    // What words name of all parts is one question.
    const isOfFields = of.some((sets) => sets.some(({ by }) => by !== 'words'))
    if (isOfFields && of.every((sets) => sets.length > 0)) found.push({ by: 'union', of, exact: parts.length === 1 })
  }
  const question = wordQuestion(columns, condition, asking)
  if (question !== null) found.push({ by: 'words', question, exact: question.exact })
  return found
}

/** The conditions that must all be met, through nested conjunctions; the condition itself if it is not a conjunction. */
export const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.op === 'and' ? condition.of.flatMap(conjuncts) : [condition]
