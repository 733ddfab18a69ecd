/** Connectors: made, read, changed and deleted. */
import type { ConnectorStore, StoredConnector } from '../connectors.ts'
import { writeAudit } from './audit.ts'
import { connectorOf, findRow, nameTaken, oneAtATime, rowOf } from './connector-rows.ts'
import { spendGrant } from './consents.ts'
import { credentialFunctions } from './credentials.ts'
import { createdBefore, keepKey } from './idempotency-keys.ts'
import { ownedBy } from './owned-by.ts'
import { all, change, first, type Queries } from './steps.ts'
import { db } from './tables.ts'

export function connectorStore(queries: Queries): ConnectorStore {
  return {
    ...credentialFunctions(queries),

    create: (tenant, connector, sealed, key, grant) =>
      queries.transaction(function* () {
        yield* oneAtATime(tenant)
        const before = key === undefined ? null : yield* createdBefore(tenant, key)
        if (before !== null) return before
        const row = rowOf(tenant, connector)
        const taken = yield* nameTaken(row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        if (grant !== undefined && !(yield* spendGrant(tenant, grant))) return { outcome: 'grant used' }
        yield* change(db.insertInto('connectors').values(row))
        yield* change(
          db.insertInto('connector_credentials').values({
            connector_id: connector.id,
            organization_id: tenant.organizationId,
            sealed,
            version: 1,
            renewer: null,
            renewer_until: null,
          }),
        )
        const made = connectorOf(row)
        if (key !== undefined) yield* keepKey(tenant, key, made)
        yield* writeAudit(tenant, {
          event: 'connector.created',
          at: made.createdAt,
          externalUserId: made.externalUserId,
          connectorId: made.id,
          details: {
            connector_type: made.connectorType,
            auth_method: made.authMethod,
            consented: grant !== undefined,
          },
        })
        return { outcome: 'created', connector: made }
      }),

    createdBefore: (tenant, key) => queries.run(createdBefore(tenant, key)),

    nameTaken: (tenant, connector) => queries.run(nameTaken(rowOf(tenant, connector))),

    async find(tenant, id) {
      const row = await queries.run(findRow(tenant, id))
      return row === undefined ? null : connectorOf(row)
    },

    async list(tenant, filter, limit, after) {
      let query = db.selectFrom('connectors').selectAll().where(ownedBy(tenant))
      if (filter.externalUserId !== undefined) query = query.where('external_user_id', '=', filter.externalUserId)
      if (filter.connectorType !== undefined) query = query.where('connector_type', '=', filter.connectorType)
      if (after !== null) query = query.where('id', '>', after)
      // One more than asked tells whether there is a next page.
      const rows = await queries.run(all(query.orderBy('id').limit(limit + 1)))
      const page = rows.slice(0, limit).map(connectorOf)
      return { connectors: page, next: rows.length > limit ? page.at(-1)!.id : null }
    },

    update: (tenant, id, changes, now) =>
      queries.transaction(function* () {
        if (changes.name !== undefined) yield* oneAtATime(tenant)
        const found = yield* findRow(tenant, id, 'to change')
        if (found === undefined) return { outcome: 'missing' }
        const before = connectorOf(found)
        const connector: StoredConnector = {
          ...before,
          name: changes.name ?? before.name,
          sync: changes.sync?.(before.sync) ?? before.sync,
          ...(changes.credentials && { authMethod: changes.credentials.authMethod, status: 'active' }),
          updatedAt: now,
        }
        const row = rowOf(tenant, connector)
        const taken = connector.name === before.name ? null : yield* nameTaken(row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        const grant = changes.credentials?.grant
        if (grant !== undefined && !(yield* spendGrant(tenant, grant))) return { outcome: 'grant used' }
        yield* change(db.updateTable('connectors').set(row).where(ownedBy(tenant)).where('id', '=', id))
        const { externalUserId } = connector
        if (changes.name !== undefined || changes.sync !== undefined)
          yield* writeAudit(tenant, { event: 'connector.changed', at: now, externalUserId, connectorId: id })
        if (changes.credentials !== undefined) {
          const { sealed } = changes.credentials
          yield* change(
            db
              .updateTable('connector_credentials')
              .set((set) => ({ sealed, version: set('version', '+', 1), renewer: null }))
              .where('organization_id', '=', tenant.organizationId)
              .where('connector_id', '=', id),
          )
          yield* writeAudit(tenant, {
            event: 'credentials.changed',
            at: now,
            externalUserId,
            connectorId: id,
            details: { auth_method: connector.authMethod, consented: grant !== undefined },
          })
        }
        return { outcome: 'updated', connector, before }
      }),

    delete: (tenant, id, { at, details = {} } = { at: new Date().toISOString() }) =>
      queries.transaction(function* () {
        const gone = yield* first(
          db.deleteFrom('connectors').where(ownedBy(tenant)).where('id', '=', id).returning('external_user_id'),
        )
        if (gone === undefined) return false
        const { external_user_id: externalUserId } = gone
        yield* writeAudit(tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id, details })
        return true
      }),

    async deleteEndUser(tenant, externalUserId, { at, details = {} } = { at: new Date().toISOString() }) {
      const { organizationId } = tenant
      if (tenant.externalUserId !== null && tenant.externalUserId !== externalUserId) return 0
      return queries.transaction(function* () {
        yield* oneAtATime(tenant)
        const gone = yield* all(
          db
            .deleteFrom('connectors')
            .where('organization_id', '=', organizationId)
            .where('external_user_id', '=', externalUserId)
            .returning('id'),
        )
        for (const { id } of gone.sort((one, other) => (one.id < other.id ? -1 : 1)))
          yield* writeAudit(tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id })
        for (const table of ['consents', 'grants'] as const)
          yield* change(
            db
              .deleteFrom(table)
              .where('organization_id', '=', organizationId)
              .where('external_user_id', '=', externalUserId),
          )
        yield* writeAudit(tenant, {
          event: 'end_user.deleted',
          at,
          externalUserId,
          details: { connectors: gone.length, ...details },
        })
        return gone.length
      })
    },
  }
}
