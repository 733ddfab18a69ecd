/** A table of records: one column for each scalar field under its own name, one document for objects and arrays, and keys of what is indexed inside it. */
import type { ColumnType, Path } from '../../search/query.ts'
import type { SearchableEntity } from '../entity-tables.ts'

export interface RecordTable extends SearchableEntity {
  readonly id: string
  /** Its name, quoted. */
  readonly name: string
  /** The view that shows it under the catalog's names, for people's own tools, quoted. */
  readonly view: string
  readonly scalars: readonly Column[]
  /** What stands inside objects and has an index. */
  readonly inner: readonly Column[]
  /** Both by name. */
  readonly columns: ReadonlyMap<string, Column>
  /** Objects and arrays, in the order of the catalog. */
  readonly nested: readonly string[]
}

export interface Column {
  /** The field, or the path into an object as queries write it. */
  readonly name: string
  readonly path: Path
  readonly type: ColumnType
  /** The column, quoted. */
  readonly column: string
  /** The column with what a text of a field compares as where that is not the text itself; null for other types. */
  readonly keyColumn: string | null
  readonly index: string
}

export function recordTable(of: SearchableEntity, id: string, quoted: (name: string) => string): RecordTable {
  const { kind, entity, searchable, indexed } = of
  const scalars: Column[] = []
  const nested: string[] = []
  const named = (name: string) => ({
    name,
    path: (Object.hasOwn(searchable, name) ? [name] : name.split('.')) as unknown as Path,
    index: quoted(`${id}__${name}`),
  })
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') nested.push(field)
    else {
      const keyColumn = type === 'string' ? quoted(`_key_${field}`) : null
      scalars.push({ ...named(field), type, column: quoted(field), keyColumn })
    }
  }
  const view = quoted(`${kind.replaceAll('-', '_')}_${entity}`)
  const inner = indexed.map(
    (name): Column => ({ ...named(name), type: 'inner', column: quoted(`_key_${name}`), keyColumn: null }),
  )
  const columns = new Map([...scalars, ...inner].map((column) => [column.name, column]))
  return { ...of, id, name: quoted(id), view, scalars, inner, columns, nested }
}

/** What a column compares and sorts as. */
export const keyOf = ({ column, keyColumn }: Column): string =>
  keyColumn === null ? column : `coalesce(${keyColumn}, ${column})`
