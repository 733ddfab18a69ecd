/** JSON Schemas in an OpenAPI document: those with a title stand once, under their title, and are referred to. */

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

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
