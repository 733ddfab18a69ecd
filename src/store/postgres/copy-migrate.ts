/** Makes the tables of records from the catalog, and changes them when it has changed. */
import { stringifyJson } from '../../json.ts'
import type { Json, Searchable } from '../../search/query.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import { fieldsFor, type KnownFields } from '../table-fields.ts'
import { sqlTypes } from './bindings.ts'
import { type Column, type CopyTable, CopyTables, copyTable, quoted } from './copy-table.ts'
import { isWhole, wordsOf } from './copy-words.ts'
import type { Session } from './database.ts'
import { hitColumns, recordOf } from './search-hits.ts'
import { encodeJson } from './text-code.ts'

/**
 * Brings the tables in line with the catalog, and gives them. A new field is null until the next full pass fills it; a removed
 * one goes with its index. Tables of kinds that the catalog does not have are left alone. To be called under the lock of the
 * migrations.
 */
export async function migrateCopies(
  session: Session,
  entities: readonly SearchableEntity[],
  version: string,
): Promise<CopyTables> {
  const all = await session.all<KnownFields & { name: string }>('select name, fields, version from copy_tables')
  const knownByName = new Map(all.map((known) => [known.name, known]))
  const inPlace: SearchableEntity[] = []
  for (const given of entities) {
    const { kind, entity } = given
    const known = knownByName.get(copyTable(kind, entity, given.searchable).name)
    const searchable = fieldsFor(given, known, version)
    inPlace.push({ kind, entity, searchable })
    const table = copyTable(kind, entity, searchable)
    const fields = JSON.stringify(searchable)
    if (known?.fields === fields) continue
    if (known === undefined) await create(session, table)
    else await change(session, table, copyTable(kind, entity, JSON.parse(known.fields) as Searchable))
    await session.run(
      `insert into copy_tables (name, fields, version) values ($1, $2, $3)
      on conflict (name) do update set fields = excluded.fields, version = excluded.version`,
      table.name,
      fields,
      version,
    )
  }
  return new CopyTables(inPlace)
}

async function create(session: Session, table: CopyTable): Promise<void> {
  // The document and the words are last: reading a column walks over all that stand before it, and these may be long.
  await session.run(`create table ${table.name} (
    _copy integer not null,
    _id text collate "C" not null,
    _hash uuid not null,
    ${table.scalars
      .flatMap(columnsOf)
      .map((column) => `${column},`)
      .join('\n    ')}
    _whole boolean not null,
    _rest json not null,
    _words tsvector not null,
    primary key (_copy, _id)
  )`)
  for (const column of table.scalars) await createIndex(session, table, column)
  // Its entries begin with the number of the copy, as those of the others.
  await session.run(`create index ${table.wordsIndex} on ${table.name} using gin (_words)`)
  await session.run(`create index on ${table.name} (_copy, _id) where not _whole`)
  await createView(session, table)
}

function columnsOf({ type, column, text }: Column): string[] {
  // Texts are ordered by code point, whatever language the database is set to.
  const sqlType = type === 'string' ? 'text collate "C"' : sqlTypes[type]
  return [column, ...(text === null ? [] : [text.key, text.folded])].map((name) => `${name} ${sqlType}`)
}

async function createIndex(session: Session, table: CopyTable, { column, text, index }: Column): Promise<void> {
  const key = text === null ? column : `(coalesce(${text.key}, ${column}))`
  await session.run(`create index ${index} on ${table.name} (_copy, ${key}, _id)`)
}

/** What people read with their own tools: the catalog's names and nothing else. */
async function createView(session: Session, table: CopyTable): Promise<void> {
  const fields = Object.entries(table.searchable).map(([field, type]) =>
    type === 'object' || type === 'array'
      ? `records._rest -> '${field.replaceAll("'", "''")}' as ${quoted(field)}`
      : `records.${quoted(field)}`,
  )
  await session.run(`create view ${table.view} as
    select copies.connector_id, records._id as record_id, ${fields.join(', ')}
    from ${table.name} as records join copies on copies.number = records._copy`)
}

async function change(session: Session, table: CopyTable, before: CopyTable): Promise<void> {
  // With what people have built on it: it could not stay as it is, and a server that does not start would be worse.
  await session.run(`drop view if exists ${table.view} cascade`)
  const unchanged = (one: Column, others: readonly Column[]): boolean =>
    others.some(({ field, type }) => field === one.field && type === one.type)
  for (const column of before.scalars) {
    if (unchanged(column, table.scalars)) continue
    // Its index goes with it.
    for (const name of [column.column, ...(column.text === null ? [] : [column.text.key, column.text.folded])])
      await session.run(`alter table ${table.name} drop column ${name}`)
  }
  for (const column of table.scalars) {
    if (unchanged(column, before.scalars)) continue
    for (const definition of columnsOf(column)) await session.run(`alter table ${table.name} add column ${definition}`)
    await createIndex(session, table, column)
  }
  await refill(session, table)
  await createView(session, table)
}

/**
 * Gives every document exactly the objects and arrays of the catalog, and every record the words of its fields. No record keeps
 * its hash, so that the next full pass writes all of them: one that looks as before may have a column that was gone in between.
 */
async function refill(session: Session, table: CopyTable): Promise<void> {
  await session.run(`declare refill no scroll cursor for select ${hitColumns(table)}, t._copy from ${table.name} as t`)
  for (;;) {
    const rows = await session.rows('fetch 500 from refill', [])
    if (rows.length === 0) break
    const filled = rows.map((row) => {
      const { id, data } = recordOf(table, row)
      const copy = row.at(-1) as number
      const kept: Record<string, Json> = Object.fromEntries(table.nested.map((field) => [field, data[field] ?? null]))
      const scalars = Object.fromEntries(table.scalars.map(({ field }) => [field, data[field] ?? null]))
      return {
        id,
        copy,
        rest: encodeJson(stringifyJson(kept)),
        words: wordsOf(table.searchable, copy, { ...scalars, ...kept }),
      }
    })
    await session.run(
      `update ${table.name} as t set _rest = given.rest::json, _words = given.words::tsvector, _whole = given.whole,
        _hash = '00000000-0000-0000-0000-000000000000'
      from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::boolean[]) as given (copy, id, rest, words, whole)
      where t._copy = given.copy and t._id = given.id`,
      filled.map(({ copy }) => copy),
      filled.map(({ id }) => id),
      filled.map(({ rest }) => rest),
      filled.map(({ words }) => words),
      filled.map(({ copy, words }) => isWhole(copy, words)),
    )
  }
  await session.run('close refill')
}
