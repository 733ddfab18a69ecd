/** A connector's sealed credentials, who may renew them, and the status that they give it. */
import { writeAudit } from './audit.ts'
import { type ConnectorStatus, storedOf, subjectOf } from './connectors.ts'
import { writeEvents } from './events.ts'
import { isFree } from './leases.ts'
import { change, first, type Queries } from './sql/steps.ts'
import { db, type Row } from './sql/tables.ts'
import { connectorOf, type Tenant } from './tenant.ts'

/** Credentials as only the sealer can read them. The version counts replacements, so that an old set never overwrites a newer one. */
export type SealedCredentials = Readonly<Pick<Row<'connectorCredentials'>, 'sealed' | 'version'>>

export function credentialStore(queries: Queries) {
  const credentialsOf = (id: string) => db.updateTable('connectorCredentials').where('connectorId', '=', id)

  return {
    /** The connector together with its credentials, read at one moment. */
    findWithCredentials: (tenant: Tenant, id: string) =>
      // Read before every call to a third-party system, so that it counts.
      queries.remembered(JSON.stringify([tenant.organizationId, tenant.externalUserId, id]), function* () {
        const row = yield* first(withCredentials(tenant, id).selectAll('connectors').select(['sealed', 'version']))
        if (row === undefined) return null
        const { sealed, version, ...connector } = row
        return { connector: storedOf(connector), credentials: { sealed, version } }
      }),

    /**
     * Takes the right to renew credentials of this version until the given time, or holds it until then; false when another
     * has it, when the version is another one, or the connector is gone.
     */
    async takeRenewal(tenant: Tenant, id: string, version: number, renewer: string, now: string, until: string) {
      const query = credentialsOf(id)
        .set({ renewer, renewerUntil: until })
        .where('version', '=', version)
        .where((where) => where.or([where('renewer', '=', renewer), isFree('renewer', 'renewerUntil', now, until)]))
        .where('connectorId', 'in', connectorOf(tenant, id).select('id'))
      return (await queries.run(change(query))) > 0
    },

    /** Gives that right back; does nothing when another has taken it since. */
    async endRenewal({ organizationId }: Tenant, id: string, renewer: string) {
      const query = credentialsOf(id).set({ renewer: null })
      await queries.run(change(query.where((where) => where.and({ organizationId, renewer }))))
    },

    /**
     * Replaces credentials that are still of this version with renewed ones, raises it by one and ends the right to renew them;
     * false when they are not, or the connector is gone. A connector that needed reauthorization becomes active again.
     */
    replaceCredentials: (
      tenant: Tenant,
      id: string,
      version: number,
      sealed: string,
      now: string = new Date().toISOString(),
    ) =>
      queries.transaction(function* () {
        // The connector first, as in every transaction over both, so that none waits for the other.
        const owner = yield* first(connectorOf(tenant, id).select(named).forNoKeyUpdate())
        if (owner === undefined) return false
        const { externalUserId } = owner
        const renewed = credentialsOf(id).set({ sealed, version: version + 1, renewer: null })
        if ((yield* change(renewed.where('version', '=', version))) === 0) return false
        const active = db.updateTable('connectors').set({ status: 'active', updatedAt: now }).where('id', '=', id)
        const recovered = yield* change(active.where('status', '=', 'reauthorization_required'))
        yield* writeAudit(tenant, { event: 'credentials.refreshed', at: now, externalUserId, connectorId: id })
        if (recovered > 0)
          yield* writeEvents(tenant, subjectOf(owner), { type: 'connector.recovered', at: now, details: {} })
        return true
      }),

    /**
     * Sets the status while the credentials are still of this version, so that an old failure says nothing about new ones; false
     * when they are not, or when it is the status already.
     */
    setStatus: (tenant: Tenant, id: string, version: number, status: ConnectorStatus, now: string) =>
      queries.transaction(function* () {
        // Locked, so that newer credentials cannot come between the look and the mark.
        const current = withCredentials(tenant, id)
          .select([...named, 'status'])
          .where('version', '=', version)
        const owner = yield* first(current.where('status', '!=', status).forNoKeyUpdate())
        if (owner === undefined) return false
        const { externalUserId, status: before } = owner
        yield* change(db.updateTable('connectors').set({ status, updatedAt: now }).where('id', '=', id))
        if (status === 'reauthorization_required') {
          yield* writeAudit(tenant, { event: 'credentials.refused', at: now, externalUserId, connectorId: id })
          yield* writeEvents(tenant, subjectOf(owner), {
            type: 'connector.reauthorization_required',
            at: now,
            details: {},
          })
        } else if (before === 'reauthorization_required')
          yield* writeEvents(tenant, subjectOf(owner), { type: 'connector.recovered', at: now, details: {} })
        return true
      }),
  }
}

/** What events say of a connector. */
const named = ['connectors.id', 'externalUserId', 'connectorType'] as const

const withCredentials = (tenant: Tenant, id: string) =>
  connectorOf(tenant, id).innerJoin('connectorCredentials', 'connectorCredentials.connectorId', 'connectors.id')
