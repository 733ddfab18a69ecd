/**
 * The JSON Schema of records in answers: the declared record, except for fields that may be absent or null there
 * (decision 7).
 */
import type { TSchema } from 'typebox'
import { nullable } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'
import type { GetOperation, ListOperation } from './operation.ts'

/**
 * The schema that validates the records of answers. It requires identifiers, which are always there, and nullable
 * fields, which become null if the system leaves them out. If the caller selects the fields, it requires none.
 */
export function answerSchema({ record, select }: Pick<ListOperation | GetOperation, 'record' | 'select'>): JsonSchema {
  const { properties = {}, required = [] } = record as JsonSchema
  const sure = required.filter((name) => isIdentifier(properties[name]!) || isNullable(properties[name]!))
  const fields = mapped(properties, (field, name) =>
    required.includes(name) ? given(field, true) : orNull(given(field, false)),
  )
  return objectWith(record as JsonSchema, fields, select?.param === undefined ? sure : [])
}

/**
 * Inside objects and arrays, a value of the wrong type becomes null, and so does an absent nullable field. Only what is
 * inside an optional field stays as it came, so nothing there is `filled`.
 */
function given(shape: JsonSchema, filled: boolean): JsonSchema {
  if (shape.anyOf !== undefined) return { ...shape, anyOf: shape.anyOf.map((one) => given(one, filled)) }
  if (shape.items !== undefined) return { ...shape, items: orNull(given(shape.items, filled)) }
  const { properties, required = [] } = shape
  if (properties === undefined) return shape
  const sure = filled ? required.filter((name) => isNullable(properties[name]!)) : []
  const fields = mapped(properties, (field, name) => orNull(given(field, filled && required.includes(name))))
  return objectWith(shape, fields, sure)
}

function objectWith(
  { required: _, ...shape }: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { ...shape, properties, ...(required.length > 0 && { required }) }
}

const mapped = <T>(fields: Readonly<Record<string, T>>, change: (field: T, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]))

const isNullable = ({ anyOf }: JsonSchema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false

const isIdentifier = (shape: JsonSchema): boolean => 'x-identifier' in shape

const orNull = (shape: JsonSchema): JsonSchema =>
  isNullable(shape) ? shape : (nullable(shape as TSchema) as JsonSchema)
