/**
 * Says of values inside JSON as much of a condition as the database can: true of all that meet it and of some others, so
 * that most records need not be looked at. Null where it can say nothing.
 */
import { instantOf } from '../../search/instant.ts'
import { textKey } from '../../search/order.ts'
import type { Condition, Json, Scalar } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'

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
        ? someElement(bind, at(bind, value, path), (one) => ordered(bind, 'eq', one, wanted))
        : null
    }
    case 'any':
      return someElement(bind, at(bind, value, condition.path), (one) => insideJson(bind, condition.of, one))
    default:
      return null
  }
}

const isOrdered = (value: Json): value is Scalar => value !== null && typeof value !== 'object'

/** The database also takes numbers as places in arrays, where the language knows keys alone: then it finds too much. */
const at = (bind: Bindings, value: string, path: readonly string[]): string =>
  `(${value} #> ${bind.add(path, 'text[]')})`

function someElement(bind: Bindings, list: string, test: (element: string) => string | null): string | null {
  const name = `element_${bind.values.length}`
  const met = test(`${name}.value`)
  if (met === null) return null
  // Reading a document as JSON takes longest, so that it is done once.
  const read = `(select ${list} as list offset 0) as ${name}_of`
  const elements = `json_array_elements(case when json_typeof(${name}_of.list) = 'array' then ${name}_of.list end)`
  return `exists (select from ${read}, ${elements} as ${name} where ${met})`
}

function ordered(bind: Bindings, op: keyof typeof symbols, value: string, wanted: Scalar): string {
  const typed = (type: string, test: string) =>
    `(case when json_typeof(${value}) = '${type}' then ${test} else false end)`
  const text = `(${value} #>> '{}')`
  if (typeof wanted === 'boolean')
    return typed('boolean', `${text}::boolean ${symbols[op]} ${bind.add(wanted, 'boolean')}`)
  if (typeof wanted !== 'string')
    return typed('number', `${text}::numeric ${symbols[op]} ${bind.add(String(wanted), 'numeric')}`)
  // Date-times compare as instants, however they are written.
  const compared = `${text} collate "C" ${symbols[op]} ${bind.add(textKey(wanted))}`
  const mayBeInstant = `${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]'`
  return typed('string', op === 'eq' && instantOf(wanted) === null ? compared : `(${compared} or ${mayBeInstant})`)
}
