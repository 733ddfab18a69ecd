/** The searchable entities of a catalog, and the tables that a database keeps of their records. */
import { createHash } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.ts'
import type { Searchable } from '../search/query.ts'
import type { Row } from './sql/tables.ts'

/** An entity that can be searched, as plain data. */
export interface SearchableEntity {
  readonly kind: string
  readonly entity: string
  readonly searchable: Searchable
  /** Paths into objects that have an index. */
  readonly indexed: readonly string[]
}

export const searchableEntities = (catalog: Catalog): SearchableEntity[] =>
  Object.entries(catalog).flatMap(([kind, { entities }]) =>
    Object.entries(entities).flatMap(([entity, { searchable, indexed = [] }]) =>
      searchable === undefined ? [] : [{ kind, entity, searchable, indexed }],
    ),
  )

/** Raised when records become columns and words in another way than before, so that every copy is filled anew. */
const shapingVersion = 1

/** The name of the table of an entity with these fields. Other fields make another table, beside the one before. */
export function tableId({ kind, entity, searchable, indexed }: SearchableEntity): string {
  const shape = JSON.stringify([shapingVersion, Object.entries(searchable), indexed])
  const hash = createHash('sha256').update(shape).digest('hex').slice(0, 8)
  return `copy_${kind.replaceAll('-', '_')}_${entity}_${hash}`
}

/** A table as the database remembers it, with its fields as JSON. */
export type HeldTable = Readonly<Omit<Row<'copyTables'>, 'usedAt'>>

export class EntityTables<Table extends { readonly id: string }> {
  readonly #make: (entity: SearchableEntity, id: string) => Table
  /** Those of this catalog, by kind and entity. */
  readonly #own: ReadonlyMap<string, Table>
  /** Those of other versions of Conex, by their ids. */
  readonly #others = new Map<string, Table>()

  constructor(entities: readonly SearchableEntity[], make: (entity: SearchableEntity, id: string) => Table) {
    this.#make = make
    this.#own = new Map(entities.map((one) => [`${one.kind}/${one.entity}`, make(one, tableId(one))]))
  }

  /** The table, or null when the catalog has no such entity. */
  find(kind: string, entity: string): Table | null {
    return this.#own.get(`${kind}/${entity}`) ?? null
  }

  get(kind: string, entity: string): Table {
    const found = this.find(kind, entity)
    if (found === null) throw new Error(`The catalog has no searchable entity ${entity} in ${kind}.`)
    return found
  }

  all(): readonly Table[] {
    return [...this.#own.values()]
  }

  /** The kinds of this catalog that have tables. */
  kinds(): readonly string[] {
    return [...new Set([...this.#own.keys()].map((key) => key.slice(0, key.indexOf('/'))))]
  }

  /** A table that the database has, whatever version made it. */
  held({ name, kind, entity, fields }: HeldTable): Table {
    const own = this.find(kind, entity)
    if (own?.id === name) return own
    const known = this.#others.get(name) ?? this.#make({ kind, entity, ...JSON.parse(fields) }, name)
    this.#others.set(name, known)
    return known
  }

  /** The same for one that was asked for before, or null. */
  known(id: string): Table | null {
    return this.#others.get(id) ?? null
  }
}
