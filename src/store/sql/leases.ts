/** The rights to sync. */
import { furthest, type LeaseStore } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import { isOwner } from './copy-rows.ts'
import { change, first, type Queries, type Steps } from './steps.ts'
import { db } from './tables.ts'

export function leaseStore(queries: Queries): LeaseStore {
  /** The lease of a connector; a token tells it from those before it. */
  const leaseOf = (connectorId: string) => db.updateTable('copy_leases').where('connector_id', '=', connectorId)

  return {
    take: (tenant, connectorId, holder, now, until) =>
      queries.transaction(function* () {
        if (!(yield* isOwner(tenant, connectorId))) return null
        const taken = yield* first(
          db
            .insertInto('copy_leases')
            .values({ connector_id: connectorId, token: 1, holder, until })
            .onConflict((conflict) =>
              conflict
                .column('connector_id')
                .doUpdateSet((set) => ({ token: set('copy_leases.token', '+', 1), holder, until }))
                .where((where) =>
                  where.or([
                    where('copy_leases.holder', 'is', null),
                    where('copy_leases.until', '<=', now),
                    where('copy_leases.until', '>', furthest(until)),
                  ]),
                ),
            )
            .returning('token'),
        )
        return taken === undefined ? null : { connectorId, token: taken.token }
      }),

    async renew({ connectorId, token }, until) {
      const held = leaseOf(connectorId).where('token', '=', token).where('holder', 'is not', null)
      return (await queries.run(change(held.set({ until })))) > 0
    },

    async release({ connectorId, token }) {
      await queries.run(change(leaseOf(connectorId).where('token', '=', token).set({ holder: null })))
    },

    revoke: (tenant, connectorId) =>
      queries.transaction(function* () {
        if (!(yield* isOwner(tenant, connectorId))) return
        yield* change(leaseOf(connectorId).set((set) => ({ token: set('token', '+', 1), holder: null })))
      }),

    holder: (tenant, connectorId, now, until) => queries.run(holderOf(tenant, connectorId, now, until)),
  }
}

function* holderOf(tenant: Tenant, connectorId: string, now: string, until: string): Steps<string | null> {
  if (!(yield* isOwner(tenant, connectorId))) return null
  const held = db.selectFrom('copy_leases').select('holder').where('connector_id', '=', connectorId)
  return (yield* first(held.where('until', '>', now).where('until', '<=', furthest(until))))?.holder ?? null
}
