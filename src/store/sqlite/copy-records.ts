/** Writes records into their table and their words into the index. */
import type { Database } from 'better-sqlite3'
import { parseJson } from '../../json.ts'
import type { SearchRecord } from '../../search/query.ts'
import type { RecordTables } from '../copies/record-tables.ts'
import { innerKey, keyText, type ShapedRecord } from '../copies/shaped-record.ts'
import type { CopyTable } from './copy-table.ts'
import { indexedText } from './copy-words.ts'
import { dataOf } from './search-dialect.ts'
import { searchFunctions } from './search-functions.ts'

/** The records of one connection; statements are prepared once for each table. */
export function sqliteRecords(database: Database): RecordTables<CopyTable, Database> {
  // Reading records writes their JSON as searches do.
  searchFunctions(database)
  const known = new Map<CopyTable, ReturnType<typeof statementsOf>>()
  const of = (table: CopyTable) => {
    const statements = known.get(table) ?? statementsOf(database, table)
    known.set(table, statements)
    return statements
  }
  return {
    prepare(table, copy, added, changed) {
      const { insert, find, update, removeWords, insertWords } = of(table)
      const rowOf = (record: ShapedRecord) => ({
        id: record.id,
        values: valuesOf(table, record),
        words: indexedText(table.worded, copy, record.data),
      })
      const [newRows, otherRows] = [added.map(rowOf), changed.map(rowOf)]
      return () => {
        for (const { id, values, words } of newRows)
          insertWords.run(BigInt(insert.run(copy, id, ...values).lastInsertRowid), words)
        for (const { id, values, words } of otherRows) {
          const record = find.get(copy, id)!
          update.run(...values, record)
          removeWords.run(record)
          insertWords.run(BigInt(record), words)
        }
      }
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
    insert: database.prepare<unknown[]>(
      `insert into ${name} (_copy, _id, ${all.join(', ')}) values (?, ?${', ?'.repeat(all.length)})`,
    ),
    find: database.prepare<[number, string], number>(`select _record from ${name} where _copy = ? and _id = ?`).pluck(),
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
