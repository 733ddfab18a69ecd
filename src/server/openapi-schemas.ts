/** JSON Schemas in an OpenAPI document: those with a title stand once, under their title, and are referred to. */

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** A reference to a named schema. */
export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Any of some named schemas; of a single one, that. */
export function anyOfNamed(names: readonly string[]): Json {
  const [first, ...others] = names.map(refTo)
  return first !== undefined && others.length === 0 ? first : { anyOf: [first, ...others] }
}

/**
 * A schema of objects with conditions beside it. Programs that make code of schemas take alternatives for types of their own, and
 * lose the fields that stand beside them; behind `then` they are conditions to everybody.
 */
export const withConditions = (schema: Json, conditions: readonly Json[]): Json =>
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  conditions.length === 0 ? schema : { ...schema, if: { type: 'object' }, then: { allOf: conditions } }

/** One of these properties at least. */
export const someOf = (names: readonly string[]): Json => ({ anyOf: names.map((name) => ({ required: [name] })) })

/** The same, with what readers who know only the older dialects of JSON Schema ask for: every array says what its items are. */
export function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withItems(part)]))
  const isArray = [copy.type].flat().includes('array')
  return isArray && copy.items === undefined ? { ...copy, items: {} } : copy
}

export class Schemas {
  /** What `components.schemas` holds. */
  readonly named: Record<string, unknown> = {}

  /** The schema as the document writes it. */
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
