/** What the JSON of a value has to contain, so that most records need not be read to be sorted out. */
import { textsIn } from './evaluate.ts'
import { instantOf } from './instant.ts'
import type { Condition, Json } from './query.ts'

/**
 * Parts of JSON of which at least one stands in the JSON of every value that meets the condition, or null when nothing is
 * known to. Numbers and date-times are no such parts, because equal ones may be written in different ways. The path of the leaf begins
 * at a searchable field, or inside `any` at a key of the element.
 */
export function requiredJson(condition: Condition): readonly string[] | null {
  switch (condition.op) {
    case 'eq': {
      const { path, value } = condition
      if (typeof value === 'number' || typeof value === 'bigint') return keyed(path, '')
      return typeof value === 'boolean' ? keyed(path, String(value)) : texts(value)
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return keyed(condition.path, '')
    case 'contains': {
      const { value } = condition
      return typeof value === 'boolean' ? [`[${value}`, `,${value}`] : texts(value)
    }
    case 'and':
      return condition.of.map(requiredJson).find((parts) => parts !== null) ?? null
    case 'any':
      return requiredJson(condition.of)
    default:
      return null
  }
}

/** A value behind its key; every path ends at a key in the JSON, unless it is the field itself. */
const keyed = (path: readonly string[], value: string): readonly string[] => [`${JSON.stringify(path.at(-1))}:${value}`]

/** The longest of the texts in a value, which is most likely the rarest. */
function texts(value: Json): readonly string[] | null {
  const found = [...textsIn(value)].filter((text) => instantOf(text) === null)
  if (found.length === 0) return null
  const longest = JSON.stringify(found.reduce((best, text) => (text.length > best.length ? text : best)))
  return [longest.length > longestPart ? [...longest.slice(0, longestPart)].slice(0, -1).join('') : longest]
}

/** Of longer texts the beginning says as much, and cannot take long to be compared at every place of another. */
const longestPart = 200
