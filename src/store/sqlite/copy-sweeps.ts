/** Removes what full passes no longer met, in SQLite. */
import type { CopyKey, Sweep, SweepOptions } from '../copy.ts'
import type { Lease } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import { copyToWrite, findCopy } from './copy-owner.ts'
import type { copyPages } from './copy-pages.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { Fragment } from './search-condition.ts'

/** Smaller entities may lose most of their records in an ordinary week. */
const fewestToProtect = 20

/** Removing so many holds the lock of the file for some milliseconds, in which nobody else writes. */
const recordsInStep = 200

export type Refused = Extract<Sweep, { readonly outcome: 'refused' }>

interface Unmet {
  readonly id: string
  /** 1 where another full pass has missed it before. */
  readonly again: 0 | 1
}

export interface SweepStep {
  readonly removed: number
  readonly missing: number
  /** The id after which the next step goes on; null when none is left. */
  readonly last: string | null
}

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

    /** One step of a sweep: the unmet records by id, after the given one. Others get to write between two steps. */
    sweep(
      tenant: Tenant,
      copy: CopyKey,
      lease: Lease,
      options: SweepOptions = {},
      after: string | null = null,
    ): SweepStep | Refused {
      const table = tables.get(copy.kind, copy.entity)
      // Worked out before the lock is taken, as for a page: whoever could change it in between has taken the lease.
      const found = statements.reading((): Unmet[] | Refused => {
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
        const again = 'marks.misses + (marks.missed_by <> ?) >= 2'
        if (after === null && !options.evenMost && row.records >= fewestToProtect) {
          const sql = `select count(*) as n ${unmet} and ${again}`
          const wouldRemove = statements.first<{ n: number }>(sql, ...bound, row.pass)!.n
          if (wouldRemove * 2 > row.records) return refused(copy, row.records, wouldRemove)
        }
        const behind = after === null ? { sql: '', values: [] } : { sql: 'and marks.id > ?', values: [after] }
        const sql = `select marks.id as id, ${again} as again ${unmet} ${behind.sql} order by marks.id limit ?`
        return statements.all<Unmet>(sql, row.pass, ...bound, ...behind.values, recordsInStep)
      })
      if ('outcome' in found) return found
      return statements.transaction(() => {
        const { number, pass } = copyToWrite(statements, tenant, copy, lease)
        const gone = found.filter(({ again }) => again === 1)
        const missing = found.filter(({ again }) => again === 0)
        const removed = pages.removeAll(
          table,
          number,
          gone.map(({ id }) => id),
        )
        const miss =
          'update copy_marks set misses = misses + 1, missed_by = ? where copy = ? and id = ? and missed_by <> ?'
        for (const { id } of missing) statements.run(miss, pass, number, id, pass)
        return { removed, missing: missing.length, last: found.length < recordsInStep ? null : found.at(-1)!.id }
      })
    },
  }
}

function refused({ entity }: CopyKey, records: number, wouldRemove: number): Refused {
  return {
    outcome: 'refused',
    records,
    wouldRemove,
    reason: `Two full passes did not meet ${wouldRemove} of ${records} records of ${entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`,
  }
}
