/** JSON Schemas in an OpenAPI document. A schema with a title appears once, under its title; others refer to it. */

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

export class Schemas {
  /** The content of `components.schemas`. */
  readonly named: Record<string, unknown> = {}

  /** The schema, as the document contains it. */
  use(schema: object): unknown {
    const { title } = schema as { title?: unknown }
    if (typeof title !== 'string') return this.#copy(schema)
    this.named[title] ??= this.#copy(schema)
    return { $ref: `#/components/schemas/${title}` }
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((part) => this.#inside(part))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.#inside(part)]))
  }

  #inside(value: unknown): unknown {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? this.use(value) : this.#copy(value)
  }
}
