/** Removes what full passes no longer met, in SQLite. */
import type { CopyKey, Sweep, SweepOptions } from '../copy.ts'
import type { Lease } from '../leases.ts'
import type { Tenant } from '../store.ts'
import { copyToWrite, findCopy } from './copy-owner.ts'
import type { copyPages } from './copy-pages.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { Fragment } from './search-condition.ts'

/** Smaller entities may lose most of their records in an ordinary week. */
const fewestToProtect = 20

export function copySweeps(
  statements: CopyStatements,
  tables: CopyTables,
  pages: ReturnType<typeof copyPages>,
  compile: (table: CopyTable, options: SweepOptions) => Fragment,
) {
  return {
    knownIds(tenant: Tenant, copy: CopyKey, limit: number, after: string | null): string[] {
      const row = findCopy(statements, tenant, copy)
      if (row === null) return []
      const { name } = tables.get(copy.kind, copy.entity)
      const sql = `select _id from ${name} where _copy = ? and _id > ? order by _id limit ?`
      return statements.all<{ _id: string }>(sql, row.number, after ?? '', limit).map(({ _id }) => _id)
    },

    unmetIds(tenant: Tenant, copy: CopyKey, limit: number, after: string | null): string[] {
      const row = findCopy(statements, tenant, copy)
      if (row === null || row.pass_started_at === null || row.pass_is_full === 0) return []
      const sql = 'select id from copy_marks where copy = ? and id > ? and met < ? order by id limit ?'
      return statements.all<{ id: string }>(sql, row.number, after ?? '', row.pass, limit).map(({ id }) => id)
    },

    sweep(tenant: Tenant, copy: CopyKey, lease: Lease, options: SweepOptions = {}): Sweep {
      const table = tables.get(copy.kind, copy.entity)
      return statements.transaction(() => {
        const row = copyToWrite(statements, tenant, copy, lease)
        if (row.pass_started_at === null || row.pass_is_full === 0)
          throw new Error('Only a full pass that is running can be swept.')
        const within = options.within === undefined ? null : compile(table, options)
        // Without a condition the marks alone tell, and the records, which are far larger, are not read.
        const unmet = `from copy_marks as marks ${
          within === null ? '' : `join ${table.name} as t on t._copy = marks.copy and t._id = marks.id`
        } where marks.copy = ? and marks.met < ? ${within === null ? '' : `and ${within.sql}`}`
        const bound = [row.number, row.pass, ...(within?.params ?? [])] as (string | number)[]
        // Missed by a full pass before, and now by this one; counting this one twice changes nothing.
        const gone = 'and marks.misses + (marks.missed_by <> ?) >= 2'
        const wouldRemove = statements.first<{ n: number }>(
          `select count(*) as n ${unmet} ${gone}`,
          ...bound,
          row.pass,
        )!.n
        if (!options.evenMost && row.records >= fewestToProtect && wouldRemove * 2 > row.records)
          return {
            outcome: 'refused',
            records: row.records,
            wouldRemove,
            reason: `Two full passes did not meet ${wouldRemove} of ${row.records} records of ${copy.entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`,
          }
        const ids = statements
          .all<{ id: string }>(`select marks.id as id ${unmet} ${gone}`, ...bound, row.pass)
          .map(({ id }) => id)
        const removed = pages.removeAll(table, row.number, ids)
        const missing = statements.all<{ id: string }>(`select marks.id as id ${unmet}`, ...bound)
        const miss = statements.prepare(
          'update copy_marks set misses = misses + 1, missed_by = ? where copy = ? and id = ? and missed_by <> ?',
        )
        for (const { id } of missing) miss.run(row.pass, row.number, id, row.pass)
        return { outcome: 'swept', removed, missing: missing.length }
      })
    },
  }
}
