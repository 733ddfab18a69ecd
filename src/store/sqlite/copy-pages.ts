/** Writes pages of records in SQLite. */
import { parseJson, stringifyJson } from '../../json.ts'
import type { Checkpoint, CopyKey, ReadRecord, Written } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import { partHash } from '../sql/part-hash.ts'
import type { Tenant } from '../tenant.ts'
import { copyToWrite, findCopy } from './copy-owner.ts'
import { createWriter, type PreparedRecord, type Writer } from './copy-records.ts'
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
      // Worked out before the transaction, so that the lock is held for writing alone. What is found out here about the copy
      // is still true there: nobody else can write to it as long as the lease is the newest.
      const prepared = statements.reading(() => {
        const number = findCopy(statements, tenant, copy)?.number
        return number === undefined ? null : { number, records: prepareAll(writer, number, page.records) }
      })
      return statements.transaction(() => {
        const { number, pass } = copyToWrite(statements, tenant, copy, lease)
        if (number !== prepared?.number) throw new LeaseLost(copy.connectorId)
        const changed: string[] = []
        let added = 0
        for (const record of prepared.records) {
          if (record.written !== null) {
            writer.write(number, record.id, record.written)
            changed.push(record.id)
            if (record.written.before === null) added++
          }
          statements.run(
            `insert into copy_marks (copy, id, met) values (?, ?, ?)
            on conflict do update set met = excluded.met, misses = 0 where met <> excluded.met or misses <> 0`,
            number,
            record.id,
            pass,
          )
        }
        let removed = 0
        for (const id of page.gone ?? []) if (writer.remove(number, id.toWellFormed())) removed++
        if (added !== removed)
          statements.run('update copies set records = records + ? where number = ?', added - removed, number)
        if (next !== null) writeCheckpoint(statements, number, next)
        return { changed, unchanged: prepared.records.length - changed.length, removed }
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

/** Of a record that is there twice the last counts. */
function prepareAll(writer: Writer, copy: number, texts: readonly string[]): readonly PreparedRecord[] {
  const prepared = new Map<string, PreparedRecord>()
  for (const text of texts) {
    const record = writer.prepare(copy, parseJson(text) as ReadRecord)
    prepared.set(record.id, record)
  }
  return [...prepared.values()]
}

function writeCheckpoint(statements: CopyStatements, copy: number, { part, value }: Checkpoint): void {
  if (value === null)
    statements.run('delete from copy_checkpoints where copy = ? and part_hash = ?', copy, partHash(part))
  else
    statements.run(
      'insert into copy_checkpoints (copy, part_hash, value) values (?, ?, ?) on conflict do update set value = excluded.value',
      copy,
      partHash(part),
      stringifyJson(value),
    )
}
