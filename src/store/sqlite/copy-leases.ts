/** The rights to sync in SQLite. */
import { furthest, type Lease } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import { isOwner } from './copy-owner.ts'
import type { CopyStatements } from './copy-statements.ts'

export function copyLeases(statements: CopyStatements) {
  return {
    take(tenant: Tenant, connectorId: string, holder: string, now: string, until: string): Lease | null {
      return statements.transaction(() => {
        if (!isOwner(statements, tenant, connectorId)) return null
        const taken = statements.first<{ token: number }>(
          `insert into copy_leases (connector_id, token, holder, until) values (?, 1, ?, ?)
          on conflict do update set token = token + 1, holder = excluded.holder, until = excluded.until
          where copy_leases.holder is null or copy_leases.until <= ? or copy_leases.until > ?
          returning token`,
          connectorId,
          holder,
          until,
          now,
          furthest(until),
        )
        return taken === undefined ? null : { connectorId, token: taken.token }
      })
    },

    renew(lease: Lease, until: string): boolean {
      const sql = 'update copy_leases set until = ? where connector_id = ? and token = ? and holder is not null'
      return statements.run(sql, until, lease.connectorId, lease.token) > 0
    },

    release(lease: Lease): void {
      const sql = 'update copy_leases set holder = null where connector_id = ? and token = ?'
      statements.run(sql, lease.connectorId, lease.token)
    },

    revoke(tenant: Tenant, connectorId: string): void {
      if (!isOwner(statements, tenant, connectorId)) return
      statements.run('update copy_leases set token = token + 1, holder = null where connector_id = ?', connectorId)
    },

    holder(tenant: Tenant, connectorId: string, now: string, until: string): string | null {
      if (!isOwner(statements, tenant, connectorId)) return null
      const sql = 'select holder from copy_leases where connector_id = ? and until > ? and until <= ?'
      return statements.first<{ holder: string | null }>(sql, connectorId, now, furthest(until))?.holder ?? null
    },
  }
}
