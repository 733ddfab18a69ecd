/** Describes a schema for documents: one entry per field. */

import type { JsonSchema } from './json-schema.ts'

export interface SchemaField {
  /** With the path of the objects that contain it: `filter.callIds`, `answers[].score`. */
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly description: string
}

/** The fields of an object; nested fields follow their parent. */
export function schemaFields({ properties = {}, required = [] }: JsonSchema, before = ''): SchemaField[] {
  return Object.entries(properties).flatMap(([property, shape]) => {
    const name = before + property
    const field = {
      name,
      required: required.includes(property),
      type: typeOf(shape),
      description: shape.description ?? '',
    }
    return [field, ...schemaFields(shape, `${name}.`), ...schemaFields(shape.items ?? {}, `${name}[].`)]
  })
}

/** A type in a few words; `?` if it can be null. */
export function typeOf({ $ref, type, format, anyOf, items, minimum, maximum, ...shape }: JsonSchema): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (anyOf !== undefined) {
    const types = anyOf.filter((one) => one.type !== 'null').map(typeOf)
    return [...new Set(types)].join(' or ') + (types.length < anyOf.length ? '?' : '')
  }
  if (shape.const !== undefined) return `\`${shape.const}\``
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`${word}\``).join(', ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}`
  if (minimum !== undefined && maximum !== undefined) return `${type} ${minimum}–${maximum}`
  return format === 'date' || format === 'date-time' ? format : String(type ?? 'any')
}
