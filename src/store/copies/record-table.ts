/** A table of records: one column for each scalar field under its own name, and one document for objects and arrays. */
import type { FieldType } from '../../catalog/entity.ts'
import type { Searchable } from '../../search/query.ts'
import type { SearchableEntity } from '../entity-tables.ts'

export interface RecordTable {
  readonly kind: string
  readonly entity: string
  readonly searchable: Searchable
  readonly id: string
  /** Its name, quoted. */
  readonly name: string
  /** The view that shows it under the catalog's names, for people's own tools, quoted. */
  readonly view: string
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
  /** The column with what a text compares as where that is not the text itself; null for other types. */
  readonly keyColumn: string | null
  readonly index: string
}

export function recordTable(
  { kind, entity, searchable }: SearchableEntity,
  id: string,
  quoted: (name: string) => string,
): RecordTable {
  const scalars: Column[] = []
  const nested: string[] = []
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') nested.push(field)
    else {
      const keyColumn = type === 'string' ? quoted(`_key_${field}`) : null
      scalars.push({ field, type, column: quoted(field), keyColumn, index: quoted(`${id}__${field}`) })
    }
  }
  const view = quoted(`${kind.replaceAll('-', '_')}_${entity}`)
  const columns = new Map(scalars.map((column) => [column.field, column]))
  return { kind, entity, searchable, id, name: quoted(id), view, scalars, columns, nested }
}

/** What a column compares and sorts as. */
export const keyOf = ({ column, keyColumn }: Column): string =>
  keyColumn === null ? column : `coalesce(${keyColumn}, ${column})`
