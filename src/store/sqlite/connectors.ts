/** Connectors and their sealed credentials in SQLite. */
import type { Selectable } from 'kysely'
import type { ConnectorStatus, ConnectorStore, Creation, IdempotencyKey, StoredConnector, Tenant } from '../store.ts'
import { writeAudit } from './audit.ts'
import { spendGrant } from './consents.ts'
import { db, type Queries } from './database.ts'
import { ownedBy } from './owned-by.ts'
import type { Tables } from './tables.ts'

export function connectorStore(queries: Queries): ConnectorStore {
  return {
    async create(tenant, connector, sealed, key, grant) {
      return queries.transaction(() => {
        const before = key === undefined ? null : createdBefore(queries, tenant, key)
        if (before !== null) return before
        const row = rowOf(tenant, connector)
        const taken = nameTaken(queries, row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        if (grant !== undefined && !spendGrant(queries, tenant, grant)) return { outcome: 'grant used' }
        queries.run(db.insertInto('connectors').values(row))
        queries.run(
          db.insertInto('connector_credentials').values({
            connector_id: connector.id,
            organization_id: tenant.organizationId,
            sealed,
            version: 1,
            renewer: null,
            renewer_until: null,
          }),
        )
        if (key !== undefined)
          queries.run(
            db.insertInto('idempotency_keys').values({
              organization_id: tenant.organizationId,
              caller: callerOf(tenant),
              key: key.key,
              request_hash: key.requestHash,
              connector_id: connector.id,
              result: JSON.stringify(connectorOf(row)),
            }),
          )
        writeAudit(queries, tenant, {
          event: 'connector.created',
          at: connector.createdAt,
          externalUserId: row.external_user_id,
          connectorId: connector.id,
          details: {
            connector_type: connector.connectorType,
            auth_method: connector.authMethod,
            consented: grant !== undefined,
          },
        })
        return { outcome: 'created', connector: connectorOf(row) }
      })
    },

    async createdBefore(tenant, key) {
      return createdBefore(queries, tenant, key)
    },

    async find(tenant, id) {
      const row = queries.first(db.selectFrom('connectors').selectAll().where(ownedBy(tenant)).where('id', '=', id))
      return row === undefined ? null : connectorOf(row)
    },

    async findWithCredentials(tenant, id) {
      // Read before every call to a third-party system, so that it counts.
      return queries.remembered(JSON.stringify([tenant.organizationId, tenant.externalUserId, id]), () => {
        const row = queries.first(
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
      })
    },

    async list(tenant, filter, limit, after) {
      let query = db.selectFrom('connectors').selectAll().where(ownedBy(tenant))
      if (filter.externalUserId !== undefined) query = query.where('external_user_id', '=', filter.externalUserId)
      if (filter.connectorType !== undefined) query = query.where('connector_type', '=', filter.connectorType)
      if (after !== null) query = query.where('id', '>', after)
      // One more than asked tells whether there is a next page.
      const rows = queries.all(query.orderBy('id').limit(limit + 1))
      const page = rows.slice(0, limit).map(connectorOf)
      return { connectors: page, next: rows.length > limit ? page.at(-1)!.id : null }
    },

    async update(tenant, id, changes, now) {
      return queries.transaction(() => {
        const found = queries.first(db.selectFrom('connectors').selectAll().where(ownedBy(tenant)).where('id', '=', id))
        if (found === undefined) return { outcome: 'missing' }
        const before = connectorOf(found)
        const connector: StoredConnector = {
          ...before,
          name: changes.name ?? before.name,
          sync: changes.sync ?? before.sync,
          ...(changes.credentials && { authMethod: changes.credentials.authMethod, status: 'active' }),
          updatedAt: now,
        }
        const row = rowOf(tenant, connector)
        const taken = connector.name === before.name ? null : nameTaken(queries, row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        const grant = changes.credentials?.grant
        if (grant !== undefined && !spendGrant(queries, tenant, grant)) return { outcome: 'grant used' }
        queries.run(db.updateTable('connectors').set(row).where(ownedBy(tenant)).where('id', '=', id))
        if (changes.credentials !== undefined) {
          const { sealed } = changes.credentials
          queries.run(
            db
              .updateTable('connector_credentials')
              .set((set) => ({ sealed, version: set('version', '+', 1), renewer: null }))
              .where('organization_id', '=', tenant.organizationId)
              .where('connector_id', '=', id),
          )
        }
        const { externalUserId } = connector
        if (changes.name !== undefined || changes.sync !== undefined)
          writeAudit(queries, tenant, { event: 'connector.changed', at: now, externalUserId, connectorId: id })
        if (changes.credentials !== undefined)
          writeAudit(queries, tenant, {
            event: 'credentials.changed',
            at: now,
            externalUserId,
            connectorId: id,
            details: { auth_method: connector.authMethod, consented: grant !== undefined },
          })
        return { outcome: 'updated', connector }
      })
    },

    async takeRenewal(tenant, id, version, renewer, now, until) {
      const changed = queries.run(
        db
          .updateTable('connector_credentials')
          .set({ renewer, renewer_until: until })
          .where('version', '=', version)
          .where((where) =>
            where.or([where('renewer', 'is', null), where('renewer', '=', renewer), where('renewer_until', '<=', now)]),
          )
          .where('connector_id', 'in', (owned) =>
            owned.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', id),
          ),
      )
      return changed > 0
    },

    async endRenewal(tenant, id, renewer) {
      queries.run(
        db
          .updateTable('connector_credentials')
          .set({ renewer: null })
          .where('organization_id', '=', tenant.organizationId)
          .where('connector_id', '=', id)
          .where('renewer', '=', renewer),
      )
    },

    async replaceCredentials(tenant, id, version, sealed, now = new Date().toISOString()) {
      return queries.transaction(() => {
        const changed = queries.run(
          db
            .updateTable('connector_credentials')
            .set({ sealed, version: version + 1, renewer: null })
            .where('version', '=', version)
            .where('connector_id', 'in', (owned) =>
              owned.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', id),
            ),
        )
        if (changed === 0) return false
        queries.run(
          db
            .updateTable('connectors')
            .set({ status: 'active', updated_at: now })
            .where(ownedBy(tenant))
            .where('id', '=', id)
            .where('status', '=', 'reauthorization_required'),
        )
        writeAudit(queries, tenant, {
          event: 'credentials.refreshed',
          at: now,
          externalUserId: endUserOf(queries, tenant, id),
          connectorId: id,
        })
        return true
      })
    },

    async setStatus(tenant, id, version, status, now) {
      return queries.transaction(() => {
        const changed = queries.run(
          db
            .updateTable('connectors')
            .set({ status, updated_at: now })
            .where(ownedBy(tenant))
            .where('status', '!=', status)
            .where('id', 'in', (current) =>
              current
                .selectFrom('connector_credentials')
                .select('connector_id')
                .where('connector_id', '=', id)
                .where('version', '=', version),
            ),
        )
        if (changed === 0) return false
        if (status === 'reauthorization_required')
          writeAudit(queries, tenant, {
            event: 'credentials.refused',
            at: now,
            externalUserId: endUserOf(queries, tenant, id),
            connectorId: id,
          })
        return true
      })
    },

    async delete(tenant, id, { at, details = {} } = { at: new Date().toISOString() }) {
      return queries.transaction(() => {
        const externalUserId = endUserOf(queries, tenant, id)
        if (queries.run(db.deleteFrom('connectors').where(ownedBy(tenant)).where('id', '=', id)) === 0) return false
        writeAudit(queries, tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id, details })
        return true
      })
    },

    async deleteEndUser(tenant, externalUserId, { at, details = {} } = { at: new Date().toISOString() }) {
      const { organizationId } = tenant
      if (tenant.externalUserId !== null && tenant.externalUserId !== externalUserId) return 0
      return queries.transaction(() => {
        const connectors = queries.all(
          db
            .selectFrom('connectors')
            .select('id')
            .where('organization_id', '=', organizationId)
            .where('external_user_id', '=', externalUserId),
        )
        for (const { id } of connectors) {
          queries.run(db.deleteFrom('connectors').where('organization_id', '=', organizationId).where('id', '=', id))
          writeAudit(queries, tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id })
        }
        for (const table of ['consents', 'grants'] as const)
          queries.run(
            db
              .deleteFrom(table)
              .where('organization_id', '=', organizationId)
              .where('external_user_id', '=', externalUserId),
          )
        writeAudit(queries, tenant, {
          event: 'end_user.deleted',
          at,
          externalUserId,
          details: { connectors: connectors.length, ...details },
        })
        return connectors.length
      })
    },
  }
}

/** The end user of a connector that the tenant may see, or null. */
function endUserOf(queries: Queries, tenant: Tenant, id: string): string | null {
  const row = queries.first(
    db.selectFrom('connectors').select('external_user_id').where(ownedBy(tenant)).where('id', '=', id),
  )
  return row?.external_user_id ?? null
}

// An external user id is never empty, so that this caller can't be mistaken for an end user.
const organizationWide = ''

const callerOf = ({ externalUserId }: Tenant): string => externalUserId ?? organizationWide

/** What became of the creation that this key was used for, or null when the key is new. */
function createdBefore(queries: Queries, tenant: Tenant, { key, requestHash }: IdempotencyKey): Creation | null {
  const before = queries.first(
    db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'result'])
      .where('organization_id', '=', tenant.organizationId)
      .where('caller', '=', callerOf(tenant))
      .where('key', '=', key),
  )
  if (before === undefined) return null
  return before.request_hash === requestHash
    ? { outcome: 'repeated', connector: JSON.parse(before.result) as StoredConnector }
    : { outcome: 'key taken' }
}

/** The id of the connector that has the name of this one, or null when the name is free. */
function nameTaken(queries: Queries, wanted: Selectable<Tables['connectors']>): string | null {
  const row = queries.first(
    db
      .selectFrom('connectors')
      .select('id')
      .where('organization_id', '=', wanted.organization_id)
      .where('external_user_id', '=', wanted.external_user_id)
      .where('connector_type', '=', wanted.connector_type)
      .where('name', '=', wanted.name),
  )
  return row?.id ?? null
}

/** What is written is always the tenant's own, whatever the connector says. */
function rowOf(tenant: Tenant, connector: StoredConnector): Selectable<Tables['connectors']> {
  return {
    id: connector.id,
    organization_id: tenant.organizationId,
    external_user_id: tenant.externalUserId ?? connector.externalUserId,
    connector_type: connector.connectorType,
    name: connector.name,
    auth_method: connector.authMethod,
    status: connector.status,
    replication_config: connector.replicationConfig === null ? null : JSON.stringify(connector.replicationConfig),
    sync_enabled: connector.sync.enabled ? 1 : 0,
    sync_interval_seconds: connector.sync.intervalSeconds,
    sync_start_date: connector.sync.startDate ?? null,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
  }
}

function connectorOf(row: Selectable<Tables['connectors']>): StoredConnector {
  return {
    id: row.id,
    organizationId: row.organization_id,
    externalUserId: row.external_user_id,
    connectorType: row.connector_type,
    name: row.name,
    authMethod: row.auth_method,
    status: row.status as ConnectorStatus,
    replicationConfig: row.replication_config === null ? null : JSON.parse(row.replication_config),
    sync: {
      enabled: row.sync_enabled === 1,
      intervalSeconds: row.sync_interval_seconds,
      ...(row.sync_start_date !== null && { startDate: row.sync_start_date }),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
