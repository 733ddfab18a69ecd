/** The rights to sync in PostgreSQL. */
import { furthest, type LeaseStore } from '../leases.ts'
import { isOwner } from './copy-owner.ts'
import type { Database } from './database.ts'

export function copyLeases(database: Database): LeaseStore {
  return {
    async take(tenant, connectorId, holder, now, until) {
      return database
        .transaction(async (session) => {
          if (!(await isOwner(session, tenant, connectorId))) return null
          const taken = await session.first<{ token: number }>(
            `insert into copy_leases (connector_id, token, holder, until) values ($1, 1, $2, $3)
          on conflict (connector_id) do update
            set token = copy_leases.token + 1, holder = excluded.holder, until = excluded.until
            where copy_leases.holder is null or copy_leases.until <= $4 or copy_leases.until > $5
          returning token`,
            connectorId,
            holder,
            until,
            now,
            furthest(until),
          )
          return taken === undefined ? null : { connectorId, token: taken.token }
        })
        .catch((error: { readonly code?: string }) => {
          // The connector was deleted in between.
          if (error.code === '23503') return null
          throw error
        })
    },

    async renew(lease, until) {
      const sql = 'update copy_leases set until = $1 where connector_id = $2 and token = $3 and holder is not null'
      return (await database.run(sql, until, lease.connectorId, lease.token)) > 0
    },

    async release(lease) {
      const sql = 'update copy_leases set holder = null where connector_id = $1 and token = $2'
      await database.run(sql, lease.connectorId, lease.token)
    },

    async revoke(tenant, connectorId) {
      if (!(await isOwner(database, tenant, connectorId))) return
      await database.run('update copy_leases set token = token + 1, holder = null where connector_id = $1', connectorId)
    },

    async holder(tenant, connectorId, now, until) {
      if (!(await isOwner(database, tenant, connectorId))) return null
      const sql = 'select holder from copy_leases where connector_id = $1 and until > $2 and until <= $3'
      return (await database.first<{ holder: string | null }>(sql, connectorId, now, furthest(until)))?.holder ?? null
    },
  }
}
