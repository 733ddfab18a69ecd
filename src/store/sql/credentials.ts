/** What is kept of a connector's credentials, who may renew them, and the status they give it. */

import type { ConnectorStore } from '../connectors.ts'
import { furthest } from '../leases.ts'
import { writeAudit } from './audit.ts'
import { connectorOf, findRow } from './connector-rows.ts'
import { ownedBy } from './owned-by.ts'
import { change, first, type Queries } from './steps.ts'
import { db } from './tables.ts'

export type CredentialFunctions = Pick<
  ConnectorStore,
  'findWithCredentials' | 'takeRenewal' | 'endRenewal' | 'replaceCredentials' | 'setStatus'
>

export function credentialFunctions(queries: Queries): CredentialFunctions {
  return {
    findWithCredentials: (tenant, id) =>
      // Read before every call to a third-party system, so that it counts.
      queries.remembered(JSON.stringify([tenant.organizationId, tenant.externalUserId, id]), function* () {
        const row = yield* first(
          db
            .selectFrom('connectors')
            .innerJoin('connector_credentials', 'connector_credentials.connector_id', 'connectors.id')
            .selectAll('connectors')
            .select(['connector_credentials.sealed', 'connector_credentials.version'])
            .where(ownedBy(tenant))
            .where('connectors.id', '=', id),
        )
        if (row === undefined) return null
        return { connector: connectorOf(row), credentials: { sealed: row.sealed, version: row.version } }
      }),

    async takeRenewal(tenant, id, version, renewer, now, until) {
      const query = db
        .updateTable('connector_credentials')
        .set({ renewer, renewer_until: until })
        .where('version', '=', version)
        .where((where) =>
          where.or([
            where('renewer', 'is', null),
            where('renewer', '=', renewer),
            where('renewer_until', '<=', now),
            where('renewer_until', '>', furthest(until)),
          ]),
        )
        .where('connector_id', 'in', (owned) =>
          owned.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', id),
        )
      return (await queries.run(change(query))) > 0
    },

    async endRenewal(tenant, id, renewer) {
      const query = db
        .updateTable('connector_credentials')
        .set({ renewer: null })
        .where('organization_id', '=', tenant.organizationId)
        .where('connector_id', '=', id)
        .where('renewer', '=', renewer)
      await queries.run(change(query))
    },

    replaceCredentials: (tenant, id, version, sealed, now = new Date().toISOString()) =>
      queries.transaction(function* () {
        // The connector first, as in every transaction over both, so that none waits for the other.
        const found = yield* findRow(tenant, id, 'to change')
        if (found === undefined) return false
        const changed = yield* change(
          db
            .updateTable('connector_credentials')
            .set({ sealed, version: version + 1, renewer: null })
            .where('version', '=', version)
            .where('connector_id', '=', id),
        )
        if (changed === 0) return false
        yield* change(
          db
            .updateTable('connectors')
            .set({ status: 'active', updated_at: now })
            .where(ownedBy(tenant))
            .where('id', '=', id)
            .where('status', '=', 'reauthorization_required'),
        )
        const { external_user_id: externalUserId } = found
        yield* writeAudit(tenant, { event: 'credentials.refreshed', at: now, externalUserId, connectorId: id })
        return true
      }),

    setStatus: (tenant, id, version, status, now) =>
      queries.transaction(function* () {
        // Locked, so that newer credentials cannot come between the look and the mark.
        const current = yield* first(
          db
            .selectFrom('connectors')
            .innerJoin('connector_credentials', 'connector_credentials.connector_id', 'connectors.id')
            .select('connectors.external_user_id')
            .where(ownedBy(tenant))
            .where('connectors.id', '=', id)
            .where('connector_credentials.version', '=', version)
            .forNoKeyUpdate(),
        )
        if (current === undefined) return false
        const mark = db.updateTable('connectors').set({ status, updated_at: now }).where(ownedBy(tenant))
        if ((yield* change(mark.where('id', '=', id).where('status', '!=', status))) === 0) return false
        if (status === 'reauthorization_required') {
          const { external_user_id: externalUserId } = current
          yield* writeAudit(tenant, { event: 'credentials.refused', at: now, externalUserId, connectorId: id })
        }
        return true
      }),
  }
}
