/** JSON Schemas in an OpenAPI document. */

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** A reference to a named schema. */
export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Any of several named schemas, or the only one. */
export function anyOfNamed(names: readonly string[]): Json {
  const [first, ...others] = names.map(refTo)
  return first !== undefined && others.length === 0 ? first : { anyOf: [first, ...others] }
}

/**
 * Adds conditions to an object schema. Code generators turn alternatives into types and lose the fields beside them; as
 * `if`/`then`, conditions are left to validators.
 */
export const withConditions = (schema: Json, conditions: readonly Json[]): Json =>
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  conditions.length === 0 ? schema : { ...schema, if: { type: 'object' }, then: { allOf: conditions } }

/** Requires at least one of these properties. */
export const someOf = (names: readonly string[]): Json => ({ anyOf: names.map((name) => ({ required: [name] })) })

/** Adds `items` to every array, for readers of older JSON Schema dialects, which require it. */
export function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withItems(part)]))
  const isArray = [copy.type].flat().includes('array')
  return isArray && copy.items === undefined ? { ...copy, items: {} } : copy
}
