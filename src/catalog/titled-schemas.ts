/** Schemas in a document where one with a title appears once, under its title; others refer to it. */
export class TitledSchemas {
  /** All that have a title, by title. */
  readonly named: Record<string, unknown> = {}
  readonly #place: string

  /** `place` is the beginning of the references to them. */
  constructor(place: string) {
    this.#place = place
  }

  /** The schema, as the document contains it. */
  use(schema: object): unknown {
    const { title, description } = schema as { title?: unknown; description?: unknown }
    if (typeof title !== 'string') return this.#copy(schema)
    this.named[title] ??= this.#copy(schema)
    const said = (this.named[title] as { description?: unknown }).description
    return { $ref: `${this.#place}${title}`, ...(description !== said && { description }) }
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
