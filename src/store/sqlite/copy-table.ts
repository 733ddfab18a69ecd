/** How the records of an entity are laid out in SQLite. */
import { sql } from 'kysely'
import { keyOf, type RecordTable, recordTable } from '../copies/record-table.ts'
import type { TableLayout } from '../copies/record-tables.ts'
import type { SearchableEntity } from '../entity-tables.ts'

export interface CopyTable extends RecordTable {
  /** Where words and parts of words lead to records. */
  readonly words: string
  /** Fields with text in them; their places here are their numbers in the index of words. */
  readonly worded: readonly string[]
}

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text of the catalog's, never a caller's, in SQL. */
export const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The JSON of an object or array, or of what stands inside at plain keys; `t` stands for the table. */
export const inDocument = (...path: readonly string[]): string =>
  `t._rest -> ${textOf(`$${path.map((key) => `.${JSON.stringify(key)}`).join('')}`)}`

export function copyTable(of: SearchableEntity, id: string): CopyTable {
  const table = recordTable(of, id, quoted)
  const hasText = (field: string): boolean => of.searchable[field] === 'string' || table.nested.includes(field)
  const worded = Object.keys(of.searchable).filter(hasText)
  return { ...table, words: quoted(`${id}_words`), worded }
}

/** The index by which records are found by id. */
export const identityIndex = ({ id }: CopyTable): string => quoted(`${id}__by_id`)

const sqlTypes = { string: 'text', integer: 'integer', number: 'any', boolean: 'integer', inner: 'text' } as const

export const tableLayout: TableLayout<CopyTable> = {
  create: (table) => [
    // The document is last: reading a column walks over all that stand before it, and documents may be long.
    `create table ${table.name} (
      _record integer primary key,
      _copy integer not null,
      _id text not null,
      _hash blob not null,
      ${[...table.columns.values()].map(({ type, column, keyColumn }) => `${column} ${sqlTypes[type]},${keyColumn === null ? '' : ` ${keyColumn} text,`}`).join('\n      ')}
      _rest text not null
    ) strict`,
    `create unique index ${identityIndex(table)} on ${table.name} (_copy, _id)`,
    ...[...table.columns.values()].map(
      (column) => `create index ${column.index} on ${table.name} (_copy, ${keyOf(column)}, _id)`,
    ),
    // Without content or places of its own: the texts are in the records, where each hit is checked.
    `create virtual table ${table.words} using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
    `create trigger ${quoted(`${table.id}__words_go`)} after delete on ${table.name} begin
      delete from ${table.words} where rowid = old._record;
    end`,
  ],
  drop: ({ name, words }) => [`drop table ${words}`, `drop table ${name}`],
  makeView: (view, select) => [`drop view if exists ${view}`, `create view ${view} as ${select}`],
  quoted,
  document: (field) => `records._rest -> '$."${field}"'`,
  idRows: (ids) => sql`(select value as id from json_each(${JSON.stringify(ids)}))`,
}
