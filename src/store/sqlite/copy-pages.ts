/** Writes pages of records in SQLite. */
import { hash as digest } from 'node:crypto'
import { parseJson, stringifyJson } from '../../json.ts'
import { sortKey } from '../../search/order.ts'
import type { Json, SearchRecord } from '../../search/query.ts'
import { searchRecord } from '../../search/record.ts'
import type { Checkpoint, CopyKey, ReadRecord, Written } from '../copy.ts'
import type { Lease } from '../leases.ts'
import type { Tenant } from '../store.ts'
import { insertWords } from './copy-migrate.ts'
import { copyToWrite } from './copy-owner.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'

/** A page as it comes from another thread, its records as JSON. */
export interface WrittenPage {
  readonly records: readonly string[]
  readonly gone: readonly string[] | undefined
}

export function copyPages(statements: CopyStatements, tables: CopyTables) {
  const writers = new Map<CopyTable, Writer>()
  const writerOf = (table: CopyTable): Writer => {
    let writer = writers.get(table)
    if (writer === undefined) {
      writer = createWriter(statements, table)
      writers.set(table, writer)
    }
    return writer
  }
  return {
    commit(tenant: Tenant, copy: CopyKey, lease: Lease, page: WrittenPage, next: Checkpoint | null): Written {
      const writer = writerOf(tables.get(copy.kind, copy.entity))
      // Worked out before the transaction, so that the lock is held for writing alone. Of a record that is there twice the last counts.
      const prepared = new Map(
        page.records.map((text) => {
          const record = parseJson(text) as ReadRecord
          return [record.id.toWellFormed(), writer.prepare(record)] as const
        }),
      )
      return statements.transaction(() => {
        const { number, pass } = copyToWrite(statements, tenant, copy, lease)
        const changed: string[] = []
        let added = 0
        for (const record of prepared.values()) {
          const outcome = writer.put(number, record)
          if (outcome === 'added') added++
          if (outcome !== 'unchanged') changed.push(record.record.id)
          statements.run(
            `insert into copy_marks (copy, id, met) values (?, ?, ?)
            on conflict do update set met = excluded.met, misses = 0 where met <> excluded.met or misses <> 0`,
            number,
            record.record.id,
            pass,
          )
        }
        let removed = 0
        for (const id of page.gone ?? []) if (writer.remove(number, id.toWellFormed())) removed++
        if (added !== removed)
          statements.run('update copies set records = records + ? where number = ?', added - removed, number)
        if (next !== null) writeCheckpoint(statements, number, next)
        return { changed, unchanged: prepared.size - changed.length, removed }
      })
    },

    /** Removes records that a sweep found missing. */
    removeAll(table: CopyTable, copy: number, ids: readonly string[]): number {
      const writer = writerOf(table)
      const removed = ids.filter((id) => writer.remove(copy, id)).length
      if (removed > 0) statements.run('update copies set records = records - ? where number = ?', removed, copy)
      return removed
    },
  }
}

function writeCheckpoint(statements: CopyStatements, copy: number, { part, value }: Checkpoint): void {
  if (value === null) statements.run('delete from copy_checkpoints where copy = ? and part = ?', copy, part)
  else
    statements.run(
      'insert into copy_checkpoints (copy, part, value) values (?, ?, ?) on conflict do update set value = excluded.value',
      copy,
      part,
      stringifyJson(value),
    )
}

interface Prepared {
  readonly record: SearchRecord
  readonly hash: Buffer
  /** The document of objects and arrays. */
  readonly rest: string
}

interface Writer {
  prepare(read: ReadRecord): Prepared
  put(copy: number, prepared: Prepared): 'added' | 'changed' | 'unchanged'
  remove(copy: number, id: string): boolean
}

function createWriter(statements: CopyStatements, table: CopyTable): Writer {
  const { database } = statements
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
  const index = insertWords(database, table)
  return {
    prepare(read) {
      const record = searchRecord(table.searchable, read.id, read.data)
      const { data } = record
      const rest = stringifyJson(Object.fromEntries(table.nested.map((field) => [field, data[field]!])))
      const scalars = stringifyJson(table.scalars.map(({ field }) => data[field]!))
      // Half of SHA-256: enough that no two versions of a record are ever taken for one.
      const hash = digest('sha256', scalars + rest, 'buffer').subarray(0, 16)
      return { record, hash, rest }
    },

    put(copy, { record, hash, rest }) {
      const before = find.get(copy, record.id)
      if (before?._hash.equals(hash)) return 'unchanged'
      const values = valuesOf(table, record, rest)
      if (before === undefined) {
        const { lastInsertRowid } = insert.run(copy, record.id, hash, ...values)
        index(lastInsertRowid, copy, record.data)
        return 'added'
      }
      update.run(hash, ...values, before._record)
      removeWords.run(before._record)
      index(before._record, copy, record.data)
      return 'changed'
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
function valuesOf(table: CopyTable, { data }: SearchRecord, rest: string): unknown[] {
  const values: unknown[] = []
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
