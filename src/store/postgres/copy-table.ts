/** How the records of an entity are laid out in PostgreSQL. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Column, keyOf, type RecordTable, recordTable } from '../copies/record-table.ts'
import type { TableLayout } from '../copies/record-tables.ts'
import type { SearchableEntity } from '../entity-tables.ts'

/** A name in SQL. PostgreSQL cuts names after 63 bytes, so that long ones would meet each other. */
export function quoted(name: string): string {
  const short =
    Buffer.byteLength(name) <= longestName
      ? name
      : `${name.slice(0, 40)}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  return `"${short.replaceAll('"', '""')}"`
}

const longestName = 63

export const copyTable = (of: SearchableEntity, id: string): RecordTable => recordTable(of, id, quoted)

/** The column with the folded form of a text, where that is not what the database makes of it. */
export const foldedColumn = (field: string): string => quoted(`_folded_${field}`)

const sqlTypes = {
  string: 'text collate "C"',
  integer: 'int8',
  number: 'float8',
  boolean: 'boolean',
  inner: 'text collate "C"',
} as const

/** In so many parts the database knows the texts of a field, and ten times as many frequent words. */
const statistics = 500

export const tableLayout: TableLayout = {
  create: ({ id, name, scalars, columns }) => [
    // The document and the words are last: reading a column walks over all that stand before it, and these may be long.
    `create table ${name} (
      _copy integer not null,
      _id text collate "C" not null,
      _hash uuid not null,
      ${[...columns.values()].flatMap(columnsOf).join('\n      ')}
      _whole boolean not null,
      _rest json not null,
      _words tsvector not null,
      primary key (_copy, _id)
    )`,
    ...[...columns.values()].map(
      (column) => `create index ${column.index} on ${name} (_copy, (${keyOf(column)}), _id)`,
    ),
    // Of a hundred parts the database takes one day for one of them, and a word that two records in a hundred have for rare.
    `alter table ${name} alter column _words set statistics ${statistics}`,
    ...scalars
      .filter(({ keyColumn }) => keyColumn !== null)
      .map(({ index }) => `alter index ${index} alter column 2 set statistics ${statistics}`),
    // Its entries begin with the number of the copy, as in the other indexes.
    `create index ${quoted(`${id}___words`)} on ${name} using gin (_words)`,
    `create index on ${name} (_copy, _id) where not _whole`,
  ],
  drop: ({ name }) => [`drop table ${name}`],
  // With what people have built on it, where its columns are others: it could not stay, and a server that does not start would be worse.
  makeView: (view, select) => [
    `do $view$ begin
      create or replace view ${view} as ${select};
    exception when invalid_table_definition then
      drop view ${view} cascade;
      create view ${view} as ${select};
    end $view$`,
  ],
  quoted,
  document: (field) => `records._rest -> '${field.replaceAll("'", "''")}'`,
  idRows: (ids) => sql`unnest(${ids}::text[]) as given (id)`,
}

function columnsOf({ name: field, type, column, keyColumn }: Column): string[] {
  const names = keyColumn === null ? [column] : [column, keyColumn, foldedColumn(field)]
  return names.map((name) => `${name} ${sqlTypes[type]},`)
}
