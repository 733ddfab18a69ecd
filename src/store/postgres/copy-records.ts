/** Writes records into their table. */
import { setImmediate } from 'node:timers/promises'
import { parseJson } from '../../json.ts'
import type { Json, SearchRecord } from '../../search/query.ts'
import type { RecordTable } from '../copies/record-table.ts'
import type { PreparedRecords, Put, RecordTables } from '../copies/record-tables.ts'
import { innerKey, keyText, type ShapedRecord, shapeRecord } from '../copies/shaped-record.ts'
import { valueTypes } from '../search/columns.ts'
import { foldedColumn } from './copy-table.ts'
import { quotedTokens, wordsOf } from './copy-words.ts'
import type { Session } from './database.ts'
import { encodeJson } from './nul-escaping.ts'
import { fieldsReader } from './search-dialect.ts'
import { foldedText } from './search-text.ts'

/** Records of a page: all that can be known of them without the database. */
interface Prepared extends PreparedRecords {
  readonly records: readonly ShapedRecord[]
}

export const postgresRecords: RecordTables<RecordTable, Prepared, Session> = {
  async prepare(table, _copy, records) {
    const prepared = new Map<string, ShapedRecord>()
    for (const [place, record] of records.entries()) {
      // Others go on in between.
      if (place % recordsAtOnce === 0) await setImmediate()
      const shaped = shapeRecord(table, record)
      prepared.set(shaped.id, shaped)
    }
    return { ids: [...prepared.keys()], records: [...prepared.values()] }
  },

  put: (session, table, copy, { records }) => putRecords(session, table, copy, records),

  async read(session, table, copy, ids) {
    const { columns, json } = fieldsReader(table, Object.keys(table.searchable))
    const sql = `select t._id, ${columns.join(', ')} from ${table.name} as t where t._copy = $1 and t._id = any($2::text[])`
    const rows = (await session.rows(sql, [copy, ids])) as [string, ...unknown[]][]
    return rows.map(([id, ...values]) => ({ id, data: parseJson(json(values)) as SearchRecord['data'] }))
  },
}

/** Writes those that are new or other than before; tells which these are, and how many are new. */
async function putRecords(
  session: Session,
  table: RecordTable,
  copy: number,
  prepared: readonly ShapedRecord[],
): Promise<Put> {
  if (prepared.length === 0) return { changed: [], added: 0 }
  const known = await session.all<{ _id: string; _hash: string }>(
    `select _id, _hash::text from ${table.name} where _copy = $1 and _id = any($2::text[])`,
    copy,
    prepared.map(({ id }) => id),
  )
  const before = new Map(known.map(({ _id: id, _hash: hash }) => [id, hash.replaceAll('-', '')]))
  const changed = prepared.filter(({ id, hash }) => before.get(id) !== hash.toString('hex'))
  const added = changed.filter(({ id }) => !before.has(id))
  // Nobody else adds records meanwhile, and inserting takes less when none can be in the way.
  for (const batch of batches(added)) await write(session, table, copy, batch, 'fail')
  const other = changed.filter(({ id }) => before.has(id))
  for (const batch of batches(other)) await write(session, table, copy, batch, 'update')
  return { changed: changed.map(({ id }) => id), added: added.length }
}

/** One statement holds about a megabyte, however long the texts are: making it takes one piece of time. */
function* batches(prepared: readonly ShapedRecord[]): Generator<readonly ShapedRecord[]> {
  let batch: ShapedRecord[] = []
  let size = 0
  for (const one of prepared) {
    batch.push(one)
    size += one.size
    if (size < mostCharacters && batch.length < mostRecords) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

const mostCharacters = 400_000
const mostRecords = 400
/** So many are prepared before others go on. */
const recordsAtOnce = 10

async function write(
  session: Session,
  table: RecordTable,
  copy: number,
  batch: readonly ShapedRecord[],
  onConflict: 'fail' | 'update',
): Promise<void> {
  const columns = filled(table, copy, batch)
  const names = columns.map(({ name }) => name)
  const update = `on conflict (_copy, _id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`
  await session.run(
    `insert into ${table.name} (_copy, ${names.join(', ')})
    select $1, ${columns.map(({ type }, index) => `given.c${index}::${type}`).join(', ')}
    from unnest(${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')})
      as given (${columns.map((_, index) => `c${index}`).join(', ')})
    ${onConflict === 'update' ? update : ''}`,
    copy,
    ...columns.map(({ values }) => values),
  )
}

interface Filled {
  readonly name: string
  readonly type: string
  readonly values: readonly (string | null)[]
}

/** The columns of a table and what these records have in them, all as text. */
function filled(table: RecordTable, copy: number, batch: readonly ShapedRecord[]): Filled[] {
  const fill = (name: string, type: string, textOf: (record: ShapedRecord) => string | null): Filled => ({
    name,
    type,
    values: batch.map(textOf),
  })
  const scalars = table.scalars.flatMap(({ name: field, type, column, keyColumn }) => {
    const fillBy = (name: string, sqlType: string, textOf: (value: Json) => string | null) =>
      fill(name, sqlType, ({ data }) => {
        const value = data[field] ?? null
        return value === null ? null : textOf(value)
      })
    const own = fillBy(column, valueTypes[type], String)
    if (keyColumn === null) return [own]
    const key = fillBy(keyColumn, 'text', keyText)
    return [own, key, fillBy(foldedColumn(field), 'text', (value) => foldedText(value as string))]
  })
  const words = batch.map(({ data }) => wordsOf(table.searchable, copy, data))
  return [
    fill('_id', 'text', ({ id }) => id),
    fill('_hash', 'uuid', ({ hash }) => hash.toString('hex')),
    ...scalars,
    ...table.inner.map(({ path, column }) => fill(column, 'text', ({ data }) => innerKey(data, path))),
    { name: '_whole', type: 'boolean', values: words.map(({ whole }) => String(whole)) },
    fill('_rest', 'json', ({ rest }) => encodeJson(rest)),
    { name: '_words', type: 'tsvector', values: words.map(({ tokens }) => quotedTokens(tokens)) },
  ]
}
