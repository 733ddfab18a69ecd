/** The searchable entities of a catalog, and what a database keeps for each, by kind and entity. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Searchable } from '../search/query.ts'

/** An entity that can be searched, as plain data. */
export interface SearchableEntity {
  readonly kind: string
  readonly entity: string
  readonly searchable: Searchable
}

export const searchableEntities = (catalog: Catalog): SearchableEntity[] =>
  Object.entries(catalog).flatMap(([kind, { entities }]) =>
    Object.entries(entities).flatMap(([entity, { searchable }]) =>
      searchable === undefined ? [] : [{ kind, entity, searchable }],
    ),
  )

export class EntityTables<Table> {
  readonly #tables: ReadonlyMap<string, Table>

  constructor(
    entities: readonly SearchableEntity[],
    make: (kind: string, entity: string, searchable: Searchable) => Table,
  ) {
    this.#tables = new Map(
      entities.map(({ kind, entity, searchable }) => [`${kind}/${entity}`, make(kind, entity, searchable)]),
    )
  }

  /** The table, or null when the catalog has no such entity. */
  find(kind: string, entity: string): Table | null {
    return this.#tables.get(`${kind}/${entity}`) ?? null
  }

  get(kind: string, entity: string): Table {
    const found = this.find(kind, entity)
    if (found === null) throw new Error(`The catalog has no searchable entity ${entity} in ${kind}.`)
    return found
  }

  all(): Iterable<Table> {
    return this.#tables.values()
  }
}
