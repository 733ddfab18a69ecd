/** Makes the tables of records from the catalog, and changes them when it has changed. */
import type { Database } from 'better-sqlite3'
import { parseJson, stringifyJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import { fieldsFor, type KnownFields } from '../table-fields.ts'
import { type Column, type CopyTable, copyTable, quoted } from './copy-table.ts'
import { wordsWriter } from './copy-words.ts'

/**
 * Brings the tables in line with the catalog, all of it or nothing, and gives the entities with their fields in the order of
 * the tables. A new field is null until the next full pass fills it; a removed one goes with its index. Tables of kinds that the
 * catalog does not have are left alone.
 */
export function migrateCopies(
  database: Database,
  entities: readonly SearchableEntity[],
  version: string,
): SearchableEntity[] {
  const read = database.prepare<[string], KnownFields>('select fields, version from copy_tables where name = ?')
  const write = database.prepare(
    `insert into copy_tables (name, fields, version) values (?, ?, ?)
    on conflict do update set fields = excluded.fields, version = excluded.version`,
  )
  return database
    .transaction(() =>
      entities.map((given) => {
        const { kind, entity } = given
        const known = read.get(copyTable(kind, entity, given.searchable).name)
        const searchable = fieldsFor(given, known, version)
        const table = copyTable(kind, entity, searchable)
        const fields = JSON.stringify(searchable)
        if (known === undefined) create(database, table)
        else if (known.fields !== fields) change(database, table, copyTable(kind, entity, JSON.parse(known.fields)))
        if (known?.fields !== fields) write.run(table.name, fields, version)
        return { kind, entity, searchable }
      }),
    )
    .immediate()
}

function create(database: Database, table: CopyTable): void {
  const columns = table.scalars.flatMap((column) => columnsOf(column))
  // The document is last: reading a column walks over all that stand before it, and documents may be long.
  database.exec(`create table ${table.name} (
    _record integer primary key,
    _copy integer not null,
    _id text not null,
    _hash blob not null,
    ${columns.map((column) => `${column},`).join('\n    ')}
    _rest text not null
  ) strict`)
  database.exec(`create unique index ${identityIndex(table)} on ${table.name} (_copy, _id)`)
  for (const column of table.scalars) createIndex(database, table, column)
  createWords(database, table)
  createView(database, table)
}

/** The index by which records are found by id. */
export const identityIndex = (table: CopyTable): string => quoted(`${table.name.slice(1, -1)}__by_id`)

const sqlTypes = { string: 'text', integer: 'integer', number: 'any', boolean: 'integer' } as const

function columnsOf({ type, column, keyColumn }: Column): string[] {
  const own = `${column} ${sqlTypes[type]}`
  return keyColumn === null ? [own] : [own, `${keyColumn} text`]
}

function createIndex(database: Database, table: CopyTable, { index, key }: Column): void {
  database.exec(`create index ${index} on ${table.name} (_copy, ${key}, _id)`)
}

function createWords(database: Database, table: CopyTable): void {
  // Without content or places of its own: the texts are in the records, and what is found is checked there.
  database.exec(
    `create virtual table ${table.words} using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  )
}

/** What people read with their own tools: the catalog's names and nothing else. */
function createView(database: Database, table: CopyTable): void {
  const name = quoted(table.name.slice(1, -1).replace(/^copy_/, ''))
  const fields = Object.entries(table.searchable).map(([field, type]) =>
    type === 'object' || type === 'array'
      ? `records._rest -> '$."${field}"' as ${quoted(field)}`
      : `records.${quoted(field)}`,
  )
  database.exec(`drop view if exists ${name}`)
  database.exec(`create view ${name} as
    select copies.connector_id as connector_id, records._id as record_id, ${fields.join(', ')}
    from ${table.name} as records join copies on copies.number = records._copy`)
}

function change(database: Database, table: CopyTable, before: CopyTable): void {
  database.exec(`drop view if exists ${quoted(table.name.slice(1, -1).replace(/^copy_/, ''))}`)
  const unchanged = (one: Column, others: readonly Column[]): boolean =>
    others.some(({ field, type }) => field === one.field && type === one.type)
  for (const column of before.scalars) {
    if (unchanged(column, table.scalars)) continue
    database.exec(`drop index ${column.index}`)
    database.exec(`alter table ${table.name} drop column ${column.column}`)
    if (column.keyColumn !== null) database.exec(`alter table ${table.name} drop column ${column.keyColumn}`)
  }
  for (const column of table.scalars) {
    if (unchanged(column, before.scalars)) continue
    for (const definition of columnsOf(column)) database.exec(`alter table ${table.name} add column ${definition}`)
    createIndex(database, table, column)
  }
  database.exec(`drop table ${table.words}`)
  createWords(database, table)
  refill(database, table)
  createView(database, table)
}

/**
 * Gives every document exactly the objects and arrays of the catalog, and fills the index of words anew. No record keeps its
 * hash, so that the next full pass writes all of them: one that looks as before may have a column that was gone in between.
 */
function refill(database: Database, table: CopyTable): void {
  const texts = table.scalars.filter(({ type }) => type === 'string')
  const read = database.prepare<[number], Record<string, unknown>>(
    `select _record, _copy, _rest, ${texts.map(({ column }) => column).join(', ') || 'null'} from ${table.name} where _record > ? order by _record limit 1000`,
  )
  const document = database.prepare(`update ${table.name} set _rest = ?, _hash = zeroblob(16) where _record = ?`)
  const insertWords = prepareWords(database, table)
  const words = wordsWriter(table.worded)
  for (let last = 0, rows = read.all(0); rows.length > 0; rows = read.all(last))
    for (const row of rows) {
      last = row._record as number
      const rest = parseJson(row._rest as string) as Record<string, Json>
      const kept = Object.fromEntries(table.nested.map((field) => [field, rest[field] ?? null]))
      document.run(stringifyJson(kept), last)
      insertWords(last, words.write(row._copy as number, { ...(row as Record<string, Json>), ...kept }))
    }
}

/** Puts the words of a record, as `wordsWriter` gives them, into the index. */
function prepareWords(database: Database, table: CopyTable): (record: number | bigint, words: Buffer) => void {
  const insert = database.prepare<[bigint, Buffer]>(
    `insert into ${table.words} (rowid, words) values (?, cast(? as text))`,
  )
  return (record, words) => {
    insert.run(BigInt(record), words)
  }
}
