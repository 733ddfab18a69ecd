/**
 * The part of a condition on values inside JSON that the database can decide: true for all values that meet it and
 * for some others, so that most records need no second look. Null if it can decide nothing.
 */
import { instantOf } from '../../search/instant.ts'
import { textKey } from '../../search/order.ts'
import type { Condition, Json, Scalar } from '../../search/query.ts'
import type { Bindings } from '../search/bindings.ts'

const symbols = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The condition on `value`, an SQL expression of JSON; the path of a leaf starts there. */
export function insideJson(bind: Bindings, condition: Condition, value: string): string | null {
  const before = bind.values.length
  const said = written(bind, condition, value)
  // A statement must use every value that it is given.
  if (said === null) bind.values.length = before
  return said
}

function written(bind: Bindings, condition: Condition, value: string): string | null {
  switch (condition.op) {
    case 'and': {
      const known = condition.of.map((part) => insideJson(bind, part, value)).filter((part) => part !== null)
      return known.length === 0 ? null : `(${known.join(' and ')})`
    }
    case 'or': {
      const parts = condition.of.map((part) => insideJson(bind, part, value))
      return parts.length === 0 || parts.includes(null) ? null : `(${parts.join(' or ')})`
    }
    case 'eq':
      return isOrdered(condition.value) ? ordered(bind, 'eq', at(bind, value, condition.path), condition.value) : null
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(bind, condition.op, at(bind, value, condition.path), condition.value)
    case 'contains': {
      const { path, value: wanted } = condition
      return isOrdered(wanted)
        ? someElement(bind, at(bind, value, path), (json) =>
            ordered(bind, 'eq', { json, text: textOf(`${json} #>> '{}'`) }, wanted),
          )
        : null
    }
    case 'any':
      return someElement(bind, at(bind, value, condition.path), (json) => insideJson(bind, condition.of, json))
    default:
      return null
  }
}

const isOrdered = (value: Json): value is Scalar => value !== null && typeof value !== 'object'

/** Expressions of a value inside JSON, and of its content if it is a text, a number or a boolean. */
interface Place {
  readonly json: string
  readonly text: string
}

/** One key after the other takes less time than a path, which would also read numbers as places in arrays. */
function at(bind: Bindings, value: string, path: readonly string[]): Place {
  const keys = path.map((key) => bind.add(key))
  const inner = [value, ...keys.slice(0, -1)].join(' -> ')
  return { json: `(${inner} -> ${keys.at(-1)})`, text: textOf(`${inner} ->> ${keys.at(-1)}`) }
}

const textOf = (text: string): string => `((${text}) collate "C")`

function someElement(bind: Bindings, list: Place, test: (element: string) => string | null): string | null {
  const name = `element_${bind.values.length}`
  const met = test(`${name}.value`)
  if (met === null) return null
  // Parsing a document as JSON takes longest, so it is done once.
  const read = `(select ${list.json} as list offset 0) as ${name}_of`
  const elements = `json_array_elements(case when json_typeof(${name}_of.list) = 'array' then ${name}_of.list end)`
  return `exists (select from ${read}, ${elements} as ${name} where ${met})`
}

function ordered(bind: Bindings, op: keyof typeof symbols, { json, text }: Place, wanted: Scalar): string {
  if (typeof wanted !== 'string' && typeof wanted !== 'boolean')
    return `(case when json_typeof(${json}) <> 'number' then false when ${isRoundedOrHuge(text)} then true else ${text}::numeric ${symbols[op]} ${bind.add(String(wanted), 'numeric')} end)`
  // The second look at the records sorts out values of another type. "false" comes before "true" as text, too.
  const compared = `${text} ${symbols[op]} ${bind.add(typeof wanted === 'string' ? textKey(wanted) : String(wanted))}`
  if (typeof wanted === 'boolean' || (op === 'eq' && instantOf(wanted) === null)) return compared
  // Date-times compare as instants, in any format.
  return `(${compared} or ${text} like '____-__-__%:%')`
}

/** Numbers that compare as doubles and can equal other numbers, or that the database could not store. */
const isRoundedOrHuge = (text: string): string =>
  `(${text} ~ '[eE]' or length(${text}) > case when ${text} like '%.%' then 16 else 400 end)`
