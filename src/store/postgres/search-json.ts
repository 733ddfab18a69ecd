/**
 * Says of values inside JSON as much of a condition as the database can: true of all that meet it and of some others, so
 * that most records need not be looked at. Null where it can say nothing.
 */
import { instantOf } from '../../search/instant.ts'
import { textKey } from '../../search/order.ts'
import type { Condition, Json, Scalar } from '../../search/query.ts'
import type { Bindings } from '../search/bindings.ts'

const symbols = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** What a condition says of `value`, an SQL expression of JSON; the path of a leaf starts there. */
export function insideJson(bind: Bindings, condition: Condition, value: string): string | null {
  const before = bind.values.length
  const said = written(bind, condition, value)
  // A statement has to use every value that it is given.
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

/** Expressions of a value inside JSON, and of what it says where it is a text, a number or a truth value. */
interface Place {
  readonly json: string
  readonly text: string
}

/** Asking for one key after the other takes less time than a path, which would also take numbers as places in arrays. */
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
  // Reading a document as JSON takes longest, so that it is done once.
  const read = `(select ${list.json} as list offset 0) as ${name}_of`
  const elements = `json_array_elements(case when json_typeof(${name}_of.list) = 'array' then ${name}_of.list end)`
  return `exists (select from ${read}, ${elements} as ${name} where ${met})`
}

function ordered(bind: Bindings, op: keyof typeof symbols, { json, text }: Place, wanted: Scalar): string {
  if (typeof wanted !== 'string' && typeof wanted !== 'boolean')
    return `(case when json_typeof(${json}) <> 'number' then false when ${isRoundedOrHuge(text)} then true else ${text}::numeric ${symbols[op]} ${bind.add(String(wanted), 'numeric')} end)`
  // What is of another type is sorted out when the records are looked at again. "false" comes before "true" as text too.
  const compared = `${text} ${symbols[op]} ${bind.add(typeof wanted === 'string' ? textKey(wanted) : String(wanted))}`
  if (typeof wanted === 'boolean' || (op === 'eq' && instantOf(wanted) === null)) return compared
  // Date-times compare as instants, however they are written.
  return `(${compared} or ${text} like '____-__-__%:%')`
}

/** Numbers that are compared as doubles, which others than these are as they stand, or that the database could not hold. */
const isRoundedOrHuge = (text: string): string =>
  `(${text} ~ '[eE]' or length(${text}) > case when ${text} like '%.%' then 16 else 400 end)`
