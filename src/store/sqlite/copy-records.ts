/** Writes records into their table and their words into the index. */
import type { Database } from 'better-sqlite3'
import { parseJson } from '../../json.ts'
import type { SearchRecord } from '../../search/query.ts'
import type { PreparedRecords, RecordTables } from '../copies/record-tables.ts'
import { innerKey, keyText, type ShapedRecord, shapeRecord } from '../copies/shaped-record.ts'
import type { CopyTable } from './copy-table.ts'
import { indexedText } from './copy-words.ts'
import { dataOf } from './search-dialect.ts'
import { searchFunctions } from './search-functions.ts'

/** Records of a page, ready to be written. */
interface Prepared extends PreparedRecords {
  /** Those that are new or other than before. */
  readonly written: readonly WrittenRecord[]
}

interface WrittenRecord {
  readonly id: string
  /** Its number, when the copy has it already. */
  readonly before: number | null
  /** The hash and what follows it, in the order of the columns. */
  readonly values: readonly unknown[]
  readonly words: string
}

/** The records of one connection; statements are prepared once for each table. */
export function sqliteRecords(database: Database): RecordTables<CopyTable, Prepared, Database> {
  // Reading records writes their JSON as searches do.
  searchFunctions(database)
  const known = new Map<CopyTable, ReturnType<typeof statementsOf>>()
  const of = (table: CopyTable) => {
    const statements = known.get(table) ?? statementsOf(database, table)
    known.set(table, statements)
    return statements
  }
  return {
    prepare(table, copy, records) {
      const { find } = of(table)
      const prepared = new Map<string, WrittenRecord | null>()
      for (const read of records) {
        const shaped = shapeRecord(table, read)
        const { id, data, hash } = shaped
        const before = find.get(copy, id)
        const written = () => ({
          id,
          before: before?._record ?? null,
          values: valuesOf(table, shaped),
          words: indexedText(table.worded, copy, data),
        })
        prepared.set(id, before?._hash.equals(hash) ? null : written())
      }
      return { ids: [...prepared.keys()], written: [...prepared.values()].filter((one) => one !== null) }
    },

    put(_database, table, copy, { written }) {
      const { insert, update, removeWords, insertWords } = of(table)
      for (const { id, before, values, words } of written) {
        if (before !== null) {
          update.run(...values, before)
          removeWords.run(before)
        }
        insertWords.run(BigInt(before ?? insert.run(copy, id, ...values).lastInsertRowid), words)
      }
      const added = written.filter(({ before }) => before === null).length
      return { changed: written.map(({ id }) => id), added }
    },

    read: (_database, table, copy, ids) =>
      of(table)
        .read.all(copy, JSON.stringify(ids))
        .map(({ id, data }) => ({ id, data: parseJson(data) as SearchRecord['data'] })),
  }
}

function statementsOf(database: Database, table: CopyTable) {
  const { name, words } = table
  const columns = [...table.columns.values()].flatMap(({ column, keyColumn }) =>
    keyColumn === null ? [column] : [column, keyColumn],
  )
  const all = ['_hash', ...columns, '_rest']
  return {
    find: database.prepare<[number, string], { _record: number; _hash: Buffer }>(
      `select _record, _hash from ${name} where _copy = ? and _id = ?`,
    ),
    insert: database.prepare<unknown[]>(
      `insert into ${name} (_copy, _id, ${all.join(', ')}) values (?, ?${', ?'.repeat(all.length)})`,
    ),
    update: database.prepare<unknown[]>(
      `update ${name} set ${all.map((column) => `${column} = ?`).join(', ')} where _record = ?`,
    ),
    insertWords: database.prepare<[bigint, string]>(`insert into ${words} (rowid, words) values (?, ?)`),
    removeWords: database.prepare<[number]>(`delete from ${words} where rowid = ?`),
    read: database.prepare<[number, string], { id: string; data: string }>(
      `select t._id as id, ${dataOf(table, Object.keys(table.searchable))} as data from ${name} as t
      where t._copy = ? and t._id in (select value from json_each(?))`,
    ),
  }
}

/** The values of the columns, in the order of the statements above. */
function valuesOf(table: CopyTable, { data, hash, rest }: ShapedRecord): unknown[] {
  const values: unknown[] = [hash]
  for (const { name, type, keyColumn } of table.scalars) {
    const value = data[name]!
    values.push(type === 'boolean' && value !== null ? Number(value) : value)
    if (keyColumn !== null) values.push(keyText(value))
  }
  for (const { path } of table.inner) values.push(innerKey(data, path))
  values.push(rest)
  return values
}
