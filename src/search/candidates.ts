/** Sets of records that an index can name and that hold every hit, so that a search need not look at any other record. */
import { beginningsOf } from './beginnings.ts'
import type { Condition, Path, Searchable } from './query.ts'
import { type Asking, type WordQuestion, wordQuestion } from './word-question.ts'

/** A condition that the index of a column can answer. */
export type Comparison = Extract<Condition, { readonly op: 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' }>

/** What the index of a column has of the texts that match a pattern: all that begin in one of these ways. */
export interface Beginnings {
  readonly op: 'begins'
  readonly path: Path
  readonly texts: readonly string[]
}

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
export function candidatesOf(searchable: Searchable, condition: Condition, asking?: Asking): Candidates[] {
  const parts = conjuncts(condition)
  const found: Candidates[] = []
  const ofFields = parts.flatMap((part) => comparisonOf(searchable, part) ?? [])
  // Several bounds of one field are one range of its index.
  for (const [field, all] of Map.groupBy(ofFields, ({ path }) => path[0])) {
    const exact = all.length === parts.length && all.every(({ op }) => op !== 'begins')
    found.push({ by: 'field', field, all, exact })
  }
  for (const part of parts) {
    if (part.op !== 'or' || part.of.length === 0 || part.of.length > mostUnited) continue
    const of = part.of.map((one) => candidatesOf(searchable, one, asking))
    // What words name of all parts is one question.
    const isOfFields = of.some((sets) => sets.some(({ by }) => by !== 'words'))
    if (isOfFields && of.every((sets) => sets.length > 0)) found.push({ by: 'union', of, exact: parts.length === 1 })
  }
  const question = wordQuestion(searchable, condition, asking)
  if (question !== null) found.push({ by: 'words', question, exact: question.exact })
  return found
}

/** What the index of one column says of the condition. */
function comparisonOf(searchable: Searchable, part: Condition): Comparison | Beginnings | null {
  if (!('path' in part) || part.path.length > 1) return null
  const type = searchable[part.path[0]]
  if (type === 'object' || type === 'array') return null
  if (/^(eq|in|[gl]te?)$/.test(part.op)) return part as Comparison
  const texts = part.op === 'like' ? beginningsOf(part.pattern) : null
  return texts === null ? null : { op: 'begins', path: part.path, texts }
}

/** The conditions that must all be met, through nested conjunctions; the condition itself if it is not a conjunction. */
const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.op === 'and' ? condition.of.flatMap(conjuncts) : [condition]
