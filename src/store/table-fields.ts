/** Which fields the tables of copies have, and which version of Conex may change them. */
import type { Searchable } from '../search/query.ts'
import type { SearchableEntity } from './entity-tables.ts'
import { isOlder } from './version-order.ts'

/** What the database remembers of a table. */
export interface KnownFields {
  /** The fields and their types as JSON, in the order of their places. */
  readonly fields: string
  /** The version that gave the table these fields. */
  readonly version: string
}

/**
 * The fields that the table of an entity is to have. Those that it has already keep their places, by which words are found, so
 * that nodes that still run an older version go on finding and writing them. Throws when these are the fields of a newer version.
 */
export function fieldsFor(
  { kind, entity, searchable }: SearchableEntity,
  known: KnownFields | undefined,
  version: string,
): Searchable {
  if (known === undefined) return searchable
  const before = Object.keys(JSON.parse(known.fields) as Searchable)
  const places = [...before.filter((field) => Object.hasOwn(searchable, field)), ...Object.keys(searchable)]
  const fields = Object.fromEntries(places.map((field) => [field, searchable[field]!]))
  if (JSON.stringify(fields) !== known.fields && isOlder(version, known.version))
    throw new Error(
      `The database was last used by a newer version of Conex (its ${kind} ${entity} have the fields of version ${known.version}, this is ${version}). Start that version, or restore an older backup.`,
    )
  return fields
}
