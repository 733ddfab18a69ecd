/** Writes records into their table and their words into the index. */
import { hash as digest } from 'node:crypto'
import { stringifyJson } from '../../json.ts'
import { sortKey } from '../../search/order.ts'
import type { Json, SearchRecord } from '../../search/query.ts'
import { searchRecord } from '../../search/record.ts'
import type { ReadRecord } from '../copy.ts'
import { prepareWords } from './copy-migrate.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable } from './copy-table.ts'
import { wordsWriter } from './copy-words.ts'

export interface PreparedRecord {
  readonly id: string
  /** Null for a record that is as before. */
  readonly written: WrittenRecord | null
}

/** What is to be written of a record that is new or has changed: nothing is left to be worked out. */
interface WrittenRecord {
  /** Its number, when the copy has it already. */
  readonly before: number | null
  /** The hash and what follows it, in the order of the columns. */
  readonly values: readonly unknown[]
  readonly words: Buffer
}

export interface Writer {
  /** Works out what has to be written. To be asked while what the copy holds is seen. */
  prepare(copy: number, read: ReadRecord): PreparedRecord
  write(copy: number, id: string, record: WrittenRecord): void
  /** False when there is no such record. */
  remove(copy: number, id: string): boolean
}

export function createWriter({ database }: CopyStatements, table: CopyTable): Writer {
  const columns = table.scalars.flatMap(({ column, keyColumn }) =>
    keyColumn === null ? [column] : [column, keyColumn],
  )
  const find = database.prepare<[number, string], { _record: number; _hash: Buffer }>(
    `select _record, _hash from ${table.name} where _copy = ? and _id = ?`,
  )
  const all = ['_hash', ...columns, '_rest']
  const insert = database.prepare<unknown[]>(
    `insert into ${table.name} (_copy, _id, ${all.join(', ')}) values (?, ?${', ?'.repeat(all.length)})`,
  )
  const update = database.prepare<unknown[]>(
    `update ${table.name} set ${all.map((column) => `${column} = ?`).join(', ')} where _record = ?`,
  )
  const remove = database.prepare<[number | bigint]>(`delete from ${table.name} where _record = ?`)
  const removeWords = database.prepare<[number | bigint]>(`delete from ${table.words} where rowid = ?`)
  const removeMark = database.prepare<[number, string]>('delete from copy_marks where copy = ? and id = ?')
  const insertWords = prepareWords(database, table)
  const words = wordsWriter(table.worded)
  return {
    prepare(copy, read) {
      const record = searchRecord(table.searchable, read.id, read.data)
      const { id, data } = record
      const rest = stringifyJson(Object.fromEntries(table.nested.map((field) => [field, data[field]!])))
      const scalars = stringifyJson(table.scalars.map(({ field }) => data[field]!))
      // Half of SHA-256: enough that no two versions of a record are ever taken for one.
      const hash = digest('sha256', scalars + rest, 'buffer').subarray(0, 16)
      const before = find.get(copy, id)
      if (before?._hash.equals(hash)) return { id, written: null }
      const values = valuesOf(table, record, hash, rest)
      return { id, written: { before: before?._record ?? null, values, words: Buffer.from(words.write(copy, data)) } }
    },

    write(copy, id, record) {
      if (record.before === null) {
        const { lastInsertRowid } = insert.run(copy, id, ...record.values)
        insertWords(lastInsertRowid, record.words)
      } else {
        update.run(...record.values, record.before)
        removeWords.run(record.before)
        insertWords(record.before, record.words)
      }
    },

    remove(copy, id) {
      const before = find.get(copy, id)
      removeMark.run(copy, id)
      if (before === undefined) return false
      remove.run(before._record)
      removeWords.run(before._record)
      return true
    },
  }
}

/** The values of the columns, in the order of the statements above. */
function valuesOf(table: CopyTable, { data }: SearchRecord, hash: Buffer, rest: string): unknown[] {
  const values: unknown[] = [hash]
  for (const { field, type, keyColumn } of table.scalars) {
    const value = data[field]!
    values.push(type === 'boolean' && value !== null ? Number(value) : value)
    if (keyColumn !== null) values.push(keyOf(value))
  }
  values.push(rest)
  return values
}

/** What a text compares as, where that is not the text itself. */
function keyOf(value: Json): string | null {
  if (typeof value !== 'string') return null
  const key = sortKey(value)
  return key === value ? null : key
}
