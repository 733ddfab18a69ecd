/** The rights to sync: one holder per connector, across all nodes. */
import { sql } from 'kysely'
import { clocksDifferMs } from '../clocks.ts'
import { type NewEvent, writeEvents } from './events.ts'
import { change, first, type Queries, type Steps } from './sql/steps.ts'
import { db } from './sql/tables.ts'
import { connectorOf, type Tenant } from './tenant.ts'

/**
 * The right to write the copy of one connector. The token grows with every taking, so that a holder who slept through
 * the end of its lease is told apart from the one who took it over.
 */
export interface Lease {
  readonly connectorId: string
  readonly token: number
}

/** Thrown by every write under a lease that another has taken since, or whose connector is gone. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  readonly connectorId: string
  constructor(connectorId: string) {
    super(`The lease on the copy of connector ${connectorId} was lost, so nothing was written.`)
    this.connectorId = connectorId
  }
}

/**
 * True where nobody has a right past `now`; one that was taken now would end at `until`. What lies further ahead than clocks differ
 * was taken by a clock that was ahead, and would be held for as long as it was: it is void.
 */
export function isFree(holder: string, heldUntil: string, now: string, until: string) {
  const furthest = new Date(Date.parse(until) + clocksDifferMs).toISOString()
  const end = sql.ref(heldUntil)
  return sql<boolean>`(${sql.ref(holder)} is null or ${end} <= ${now} or ${end} > ${furthest})`
}

export function leaseStore(queries: Queries) {
  const leaseOf = (connectorId: string) => db.updateTable('copyLeases').where('connectorId', '=', connectorId)

  return {
    /** Takes the lease until the given time, unless it is held; null then, and for connectors that are not there. */
    take: (tenant: Tenant, connectorId: string, holder: string, now: string, until: string) =>
      queries.transaction(function* (): Steps<Lease | null> {
        if (!(yield* isOwner(tenant, connectorId))) return null
        const taken = yield* first(
          db
            .insertInto('copyLeases')
            .values({ connectorId, token: 1, holder, until })
            .onConflict((conflict) =>
              conflict
                .column('connectorId')
                .doUpdateSet((set) => ({ token: set('copyLeases.token', '+', 1), holder, until }))
                .where(isFree('copyLeases.holder', 'copyLeases.until', now, until)),
            )
            .returning('token'),
        )
        return taken === undefined ? null : { connectorId, token: taken.token }
      }),

    /** Holds the lease until a later time; false when another has taken it since. */
    async renew({ connectorId, token }: Lease, until: string) {
      const held = leaseOf(connectorId).where('token', '=', token).where('holder', 'is not', null)
      return (await queries.run(change(held.set({ until })))) > 0
    },

    /** Gives the lease back; does nothing when another has taken it since. */
    async release({ connectorId, token }: Lease) {
      await queries.run(change(leaseOf(connectorId).where('token', '=', token).set({ holder: null })))
    },

    /** Takes the lease from its holder, which can then write nothing more. */
    revoke: (tenant: Tenant, connectorId: string) =>
      queries.transaction(function* () {
        if (!(yield* isOwner(tenant, connectorId))) return
        yield* change(leaseOf(connectorId).set((set) => ({ token: set('token', '+', 1), holder: null })))
      }),

    /** Writes an event of a sync, unless another has taken its lease since; throws `LeaseLost` then. */
    tell: (tenant: Tenant, lease: Lease, event: NewEvent) =>
      queries.transaction(function* () {
        const { connectorId } = lease
        const held = underLease(tenant, lease).select(['externalUserId', 'connectorType'])
        const owner = yield* first(held)
        if (owner === undefined) throw new LeaseLost(connectorId)
        yield* writeEvents(tenant, { connectorId, ...owner }, event)
      }),

    /** Who holds the lease past `now`, or null; `until` is when one that was taken now would end. */
    async holder(tenant: Tenant, connectorId: string, now: string, until: string) {
      const query = connectorOf(tenant, connectorId)
        .innerJoin('copyLeases', 'copyLeases.connectorId', 'connectors.id')
        .select('holder')
        .where((where) => where.not(isFree('holder', 'until', now, until)))
      return (await queries.run(first(query)))?.holder ?? null
    },
  }
}

/**
 * The connector of the tenant under this lease, if it is the newest one. It stays so until the transaction has ended: who takes the
 * lease over, or deletes the connector, waits as long.
 */
export const underLease = (tenant: Tenant, { connectorId, token }: Lease) =>
  connectorOf(tenant, connectorId)
    .innerJoin('copyLeases', 'copyLeases.connectorId', 'connectors.id')
    .where('token', '=', token)
    .where('holder', 'is not', null)
    .forKeyShare('connectors')
    .forNoKeyUpdate('copyLeases')

/** Whether the connector is the tenant's; it stays so until the transaction has ended. */
function* isOwner(tenant: Tenant, connectorId: string): Steps<boolean> {
  return (yield* first(connectorOf(tenant, connectorId).select('id').forKeyShare())) !== undefined
}
