/** What answers hold of a record, as JSON Schema: the declared record, less what decision 7 lets be absent or null in it. */
import type { TSchema } from 'typebox'
import { nullable } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'
import type { GetOperation, ListOperation } from './operation.ts'

/**
 * The schema to judge answers by. An identifier is in every record and a nullable field becomes null where the system leaves it
 * out; so both are required, except where the caller may choose the fields. Nothing else is sure to be there.
 */
export function answerSchema({ record, select }: Pick<ListOperation | GetOperation, 'record' | 'select'>): JsonSchema {
  const properties = record.properties as Readonly<Record<string, JsonSchema>>
  const sure = Object.keys(properties).filter(
    (name) => isIdentifier(properties[name]!) || isNullable(properties[name]!),
  )
  return objectWith(record as JsonSchema, mapped(properties, given), select?.param === undefined ? sure : [])
}

/** Inside objects and arrays a value that does not fit is null, and so is a nullable field that is absent. */
function given(shape: JsonSchema): JsonSchema {
  if (shape.anyOf !== undefined) return { ...shape, anyOf: shape.anyOf.map(given) }
  if (shape.items !== undefined) return { ...shape, items: orNull(given(shape.items)) }
  const { properties } = shape
  if (properties === undefined) return shape
  const sure = Object.keys(properties).filter((name) => isNullable(properties[name]!))
  return objectWith(
    shape,
    mapped(properties, (field) => orNull(given(field))),
    sure,
  )
}

function objectWith(
  { required: _, ...shape }: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { ...shape, properties, ...(required.length > 0 && { required }) }
}

const mapped = <T>(fields: Readonly<Record<string, T>>, change: (field: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))

const isNullable = ({ anyOf }: JsonSchema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false

const isIdentifier = (shape: JsonSchema): boolean => 'x-identifier' in shape

const orNull = (shape: JsonSchema): JsonSchema =>
  isNullable(shape) ? shape : (nullable(shape as TSchema) as JsonSchema)
