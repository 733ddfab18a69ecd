/** How the records of an entity are laid out in PostgreSQL. */
import { createHash } from 'node:crypto'
import type { FieldType } from '../../catalog/entity.ts'
import type { Searchable } from '../../search/query.ts'
import { EntityTables, type SearchableEntity } from '../entity-tables.ts'

/** A table of records: one column per scalar field under its own name, and one document for objects and arrays. */
export interface CopyTable {
  readonly kind: string
  readonly entity: string
  readonly name: string
  /** The view under the catalog's names, for people's own tools. */
  readonly view: string
  readonly wordsIndex: string
  readonly searchable: Searchable
  readonly scalars: readonly Column[]
  /** The same by field. */
  readonly columns: ReadonlyMap<string, Column>
  /** Objects and arrays, in the order of the catalog. */
  readonly nested: readonly string[]
}

export interface Column {
  readonly field: string
  readonly type: Exclude<FieldType, 'object' | 'array'>
  /** The column, quoted. */
  readonly column: string
  /** For texts: columns with what they compare as, and with their folded form, where these are not the text itself. */
  readonly text: { readonly key: string; readonly folded: string } | null
  readonly index: string
}

/** A name in SQL. PostgreSQL cuts names after 63 bytes, so that long ones would meet each other. */
export function quoted(name: string): string {
  const short =
    Buffer.byteLength(name) <= longestName
      ? name
      : `${name.slice(0, 40)}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  return `"${short.replaceAll('"', '""')}"`
}

const longestName = 63

export function copyTable(kind: string, entity: string, searchable: Searchable): CopyTable {
  const plain = `${kind.replaceAll('-', '_')}_${entity}`
  const scalars: Column[] = []
  const nested: string[] = []
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') nested.push(field)
    else {
      const text = type === 'string' ? { key: quoted(`_key_${field}`), folded: quoted(`_folded_${field}`) } : null
      scalars.push({ field, type, column: quoted(field), text, index: quoted(`copy_${plain}__${field}`) })
    }
  }
  return {
    kind,
    entity,
    name: quoted(`copy_${plain}`),
    view: quoted(plain),
    wordsIndex: quoted(`copy_${plain}___words`),
    searchable,
    scalars,
    columns: new Map(scalars.map((column) => [column.field, column])),
    nested,
  }
}

/** The tables of searchable entities. */
export class CopyTables extends EntityTables<CopyTable> {
  constructor(entities: readonly SearchableEntity[]) {
    super(entities, copyTable)
  }
}
