/** How the records of an entity are laid out in SQLite. */
import type { FieldType } from '../../catalog/entity.ts'
import type { Searchable } from '../../search/query.ts'
import type { TableLayout } from '../copies/record-tables.ts'
import { EntityTables, type SearchableEntity, tableId } from '../entity-tables.ts'

/** A table of records: one column per scalar field under its own name, and one document for objects and arrays. */
export interface CopyTable {
  readonly kind: string
  readonly entity: string
  /** The name of the table, and the same as SQL writes it. */
  readonly id: string
  readonly name: string
  /** The view under the catalog's names, for people's own tools. */
  readonly view: string
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

export function copyTable(of: SearchableEntity, id = tableId(of)): CopyTable {
  const { kind, entity, searchable } = of
  const scalars: Column[] = []
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') continue
    const column = quoted(field)
    const keyColumn = type === 'string' ? quoted(`_key_${field}`) : null
    // Most texts compare as themselves, so that keeping the key of each would take the space twice.
    const key = keyColumn === null ? column : `coalesce(${keyColumn}, ${column})`
    scalars.push({ field, type, column, key, keyColumn, index: quoted(`${id}__${field}`) })
  }
  const fields = Object.entries(searchable)
  const nested = fields.filter(([, type]) => type === 'object' || type === 'array').map(([field]) => field)
  const worded = fields
    .map(([field]) => field)
    .filter((field) => nested.includes(field) || searchable[field] === 'string')
  const view = quoted(`${kind.replaceAll('-', '_')}_${entity}`)
  const table = { kind, entity, id, name: quoted(id), view, words: quoted(`${id}_words`), searchable }
  const columns = new Map(scalars.map((column) => [column.field, column]))
  return { ...table, scalars, columns, nested, worded }
}

/** The tables of searchable entities. */
export class CopyTables extends EntityTables<CopyTable> {
  constructor(entities: readonly SearchableEntity[]) {
    super(entities, copyTable)
  }
}

/** The index by which records are found by id. */
export const identityIndex = ({ id }: CopyTable): string => quoted(`${id}__by_id`)

const sqlTypes = { string: 'text', integer: 'integer', number: 'any', boolean: 'integer' } as const

export const tableLayout: TableLayout<CopyTable> = {
  create: (table) => [
    // The document is last: reading a column walks over all that stand before it, and documents may be long.
    `create table ${table.name} (
      _record integer primary key,
      _copy integer not null,
      _id text not null,
      _hash blob not null,
      ${table.scalars.map(({ type, column, keyColumn }) => `${column} ${sqlTypes[type]},${keyColumn === null ? '' : ` ${keyColumn} text,`}`).join('\n      ')}
      _rest text not null
    ) strict`,
    `create unique index ${identityIndex(table)} on ${table.name} (_copy, _id)`,
    ...table.scalars.map(({ index, key }) => `create index ${index} on ${table.name} (_copy, ${key}, _id)`),
    // Without content or places of its own: the texts are in the records, and what is found is checked there.
    `create virtual table ${table.words} using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  ],
  drop: ({ name, words }) => [`drop table ${words}`, `drop table ${name}`],
  makeView: (view, select) => [`drop view if exists ${view}`, `create view ${view} as ${select}`],
  quoted,
  document: (field) => `records._rest -> '$."${field}"'`,
}
