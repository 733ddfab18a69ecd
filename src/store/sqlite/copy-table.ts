/** How the records of an entity are laid out in SQLite. */
import type { FieldType } from '../../catalog/entity.ts'
import type { Searchable } from '../../search/query.ts'
import { EntityTables, type SearchableEntity } from '../entity-tables.ts'

/** A table of records: one column per scalar field under its own name, and one document for objects and arrays. */
export interface CopyTable {
  readonly kind: string
  readonly entity: string
  readonly name: string
  /** Where words and parts of words lead to records. */
  readonly words: string
  readonly searchable: Searchable
  readonly scalars: readonly Column[]
  /** The same by their fields. */
  readonly columns: ReadonlyMap<string, Column>
  /** Objects and arrays, in the order of the catalog. */
  readonly nested: readonly string[]
  /** Fields with text in them; their places here are their numbers in the index of words. */
  readonly worded: readonly string[]
}

export interface Column {
  readonly field: string
  readonly type: Exclude<FieldType, 'object' | 'array'>
  /** The column, quoted. */
  readonly column: string
  /** What the column compares and sorts as. */
  readonly key: string
  /** The column with what a text compares as where that is not the text itself; null for other types. */
  readonly keyColumn: string | null
  readonly index: string
}

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text of the catalog's, never a caller's, in SQL. */
export const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The JSON of an object or array, or of what stands inside at plain keys; `t` stands for the table. */
export const inDocument = (...path: readonly string[]): string =>
  `t._rest -> ${textOf(`$${path.map((key) => `.${JSON.stringify(key)}`).join('')}`)}`

export function copyTable(kind: string, entity: string, searchable: Searchable): CopyTable {
  const plain = `copy_${kind.replaceAll('-', '_')}_${entity}`
  const scalars: Column[] = []
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') continue
    const column = quoted(field)
    const keyColumn = type === 'string' ? quoted(`_key_${field}`) : null
    // Most texts compare as themselves, so that keeping the key of each would take the space twice.
    const key = keyColumn === null ? column : `coalesce(${keyColumn}, ${column})`
    scalars.push({ field, type, column, key, keyColumn, index: quoted(`${plain}__${field}`) })
  }
  const fields = Object.entries(searchable)
  const nested = fields.filter(([, type]) => type === 'object' || type === 'array').map(([field]) => field)
  const worded = fields
    .map(([field]) => field)
    .filter((field) => nested.includes(field) || searchable[field] === 'string')
  const table = { kind, entity, name: quoted(plain), words: quoted(`${plain}_words`), searchable }
  const columns = new Map(scalars.map((column) => [column.field, column]))
  return { ...table, scalars, columns, nested, worded }
}

/** The tables of searchable entities. */
export class CopyTables extends EntityTables<CopyTable> {
  constructor(entities: readonly SearchableEntity[]) {
    super(entities, copyTable)
  }
}
