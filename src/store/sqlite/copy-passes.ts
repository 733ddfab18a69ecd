/** Passes over an entity in SQLite: how they begin, how far they have got, how they end. */
import { parseJson, stringifyJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import type { CopyKey, EntityState, Pass, Progress } from '../copy.ts'
import type { Lease } from '../leases.ts'
import { partHash } from '../sql/part-hash.ts'
import type { Tenant } from '../tenant.ts'
import { type CopyRow, checkLease, copyToWrite, findCopies, findCopy, lastErrorOf } from './copy-owner.ts'
import type { CopyStatements } from './copy-statements.ts'

export function copyPasses(statements: CopyStatements) {
  return {
    begin(tenant: Tenant, copy: CopyKey, lease: Lease, full: boolean, now: string): Pass {
      return statements.transaction(() => {
        checkLease(statements, tenant, lease)
        statements.run(
          `insert into copies (connector_id, kind, entity, status) values (?, ?, ?, 'waiting') on conflict do nothing`,
          copy.connectorId,
          copy.kind,
          copy.entity,
        )
        const before = copyToWrite(statements, tenant, copy, lease)
        // A pass that ended well, or was given up, has no start any more.
        const continued = before.pass_started_at !== null && (before.pass_is_full === 1 || !full)
        if (continued) statements.run(`update copies set status = 'running' where number = ?`, before.number)
        else {
          statements.run('delete from copy_checkpoints where copy = ?', before.number)
          statements.run(
            `update copies set status = 'running', pass = pass + 1, pass_is_full = ?, pass_started_at = ?, progress = null where number = ?`,
            full ? 1 : 0,
            now,
            before.number,
          )
        }
        const row = copyToWrite(statements, tenant, copy, lease)
        return {
          number: row.pass,
          full: row.pass_is_full === 1,
          startedAt: row.pass_started_at!,
          continued,
          mark: parseJson(row.mark) as Json,
        }
      })
    },

    checkpoint(tenant: Tenant, copy: CopyKey, part: string): Json {
      const row = findCopy(statements, tenant, copy)
      if (row === null) return null
      const sql = 'select value from copy_checkpoints where copy = ? and part_hash = ?'
      const found = statements.first<{ value: string }>(sql, row.number, partHash(part))
      return found === undefined ? null : (parseJson(found.value) as Json)
    },

    report(tenant: Tenant, copy: CopyKey, lease: Lease, progress: Progress): void {
      statements.transaction(() => {
        const { number } = copyToWrite(statements, tenant, copy, lease)
        statements.run('update copies set progress = ? where number = ?', JSON.stringify(progress), number)
      })
    },

    finish(tenant: Tenant, copy: CopyKey, lease: Lease, mark: Json, now: string, complete?: boolean): void {
      statements.transaction(() => {
        const { number, pass_started_at: startedAt } = copyToWrite(statements, tenant, copy, lease)
        if (startedAt === null) return
        statements.run('delete from copy_checkpoints where copy = ?', number)
        statements.run(
          `update copies set status = 'finished', complete = coalesce(?, max(complete, pass_is_full)), synced_at = pass_started_at, pass_started_at = null,
            mark = ?, finished_at = ?, error_code = null, error_detail = null, error_at = null, progress = null where number = ?`,
          complete === undefined ? null : Number(complete),
          stringifyJson(mark),
          now,
          number,
        )
      })
    },

    fail(
      tenant: Tenant,
      copy: CopyKey,
      lease: Lease,
      error: { readonly code: string; readonly detail: string },
      now: string,
      giveUp = false,
    ): void {
      statements.transaction(() => {
        const { number } = copyToWrite(statements, tenant, copy, lease)
        statements.run(
          `update copies set status = 'failed', complete = case when pass_is_full = 1 then 0 else complete end,
            error_code = ?, error_detail = ?, error_at = ? where number = ?`,
          error.code,
          error.detail,
          now,
          number,
        )
        if (!giveUp) return
        statements.run('delete from copy_checkpoints where copy = ?', number)
        statements.run('update copies set pass_started_at = null where number = ?', number)
      })
    },

    states(tenant: Tenant, connectorId: string): EntityState[] {
      return findCopies(statements, tenant, connectorId).map(stateOf)
    },
  }
}

function stateOf(row: CopyRow): EntityState {
  return {
    entity: row.entity,
    status: row.status,
    records: row.records,
    complete: row.complete === 1,
    syncedAt: row.synced_at,
    finishedAt: row.finished_at,
    lastError: lastErrorOf(row),
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
    mark: parseJson(row.mark) as Json,
  }
}
