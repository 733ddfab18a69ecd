/** Conditions that the index of a column answers. */
import { beginningOf, waysToBegin } from './beginnings.ts'
import { isShortText } from './order.ts'
import { type Columns, type Condition, columnName, type Path } from './query.ts'

/** A condition that the index of a column can answer. */
export type Comparison = Extract<Condition, { readonly op: 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' }>

/** What the index of a column has of the texts that match a pattern: all that begin in one of these ways. */
export interface Beginnings {
  readonly op: 'begins'
  readonly path: Path
  readonly texts: readonly string[]
}

/** What the index of one column says of the condition. */
export function comparisonOf({ columns }: Columns, part: Condition): Comparison | Beginnings | null {
  const column = 'path' in part ? columns.get(columnName(part.path)) : undefined
  if (!('path' in part) || column === undefined) return null
  if (/^(eq|in|[gl]te?)$/.test(part.op))
    return column.type === 'inner' && !isOfShortTexts(part as Comparison) ? null : (part as Comparison)
  if (column.type === 'inner') return null
  const texts = part.op === 'like' ? textsOf(part) : null
  return texts === null ? null : { op: 'begins', path: part.path, texts }
}

function textsOf({ pattern, begins }: Extract<Condition, { readonly op: 'like' }>): readonly string[] | null {
  if (begins !== undefined) return begins
  const beginning = beginningOf(pattern)
  return beginning === null ? null : waysToBegin(beginning)
}

/** Other values are rarely asked for inside objects, and their indexes have only the keys by which these sort. */
const isOfShortTexts = (leaf: Comparison): boolean => {
  const values = leaf.op === 'in' ? leaf.values : [leaf.value]
  return values.length > 0 && values.every((value) => typeof value === 'string' && isShortText(value))
}
