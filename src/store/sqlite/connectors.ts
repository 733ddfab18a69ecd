/** Connectors and their sealed credentials in SQLite. */
import type { Kysely, Selectable } from 'kysely'
import type { ConnectorStatus, ConnectorStore, StoredConnector, Tenant } from '../store.ts'
import { immediately } from './immediately.ts'
import { ownedBy } from './owned-by.ts'
import type { Tables } from './tables.ts'

export function connectorStore(db: Kysely<Tables>): ConnectorStore {
  return {
    create(tenant, connector, sealed, key) {
      return immediately(db, async (db) => {
        const caller = tenant.externalUserId ?? organizationWide
        if (key !== undefined) {
          const before = await db
            .selectFrom('idempotency_keys')
            .select(['request_hash', 'result'])
            .where('organization_id', '=', tenant.organizationId)
            .where('caller', '=', caller)
            .where('key', '=', key.key)
            .executeTakeFirst()
          if (before !== undefined)
            return before.request_hash === key.requestHash
              ? { outcome: 'repeated', connector: JSON.parse(before.result) as StoredConnector }
              : { outcome: 'key taken' }
        }
        const taken = await nameTaken(db, connector)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        await db.insertInto('connectors').values(rowOf(tenant, connector)).execute()
        await db
          .insertInto('connector_credentials')
          .values({ connector_id: connector.id, organization_id: tenant.organizationId, sealed, version: 1 })
          .execute()
        if (key !== undefined)
          await db
            .insertInto('idempotency_keys')
            .values({
              organization_id: tenant.organizationId,
              caller,
              key: key.key,
              request_hash: key.requestHash,
              connector_id: connector.id,
              result: JSON.stringify(connector),
            })
            .execute()
        return { outcome: 'created', connector }
      })
    },

    async find(tenant, id) {
      const row = await db
        .selectFrom('connectors')
        .selectAll()
        .where(ownedBy(tenant))
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : connectorOf(row)
    },

    async findWithCredentials(tenant, id) {
      const row = await db
        .selectFrom('connectors')
        .innerJoin('connector_credentials', 'connector_credentials.connector_id', 'connectors.id')
        .selectAll('connectors')
        .select(['connector_credentials.sealed', 'connector_credentials.version'])
        .where(ownedBy(tenant))
        .where('connectors.id', '=', id)
        .executeTakeFirst()
      return row === undefined
        ? null
        : { connector: connectorOf(row), credentials: { sealed: row.sealed, version: row.version } }
    },

    async list(tenant, filter, limit, after) {
      let query = db
        .selectFrom('connectors')
        .selectAll()
        .where(ownedBy(tenant))
        .orderBy('id')
        .limit(limit + 1)
      if (filter.externalUserId !== undefined) query = query.where('external_user_id', '=', filter.externalUserId)
      if (filter.connectorType !== undefined) query = query.where('connector_type', '=', filter.connectorType)
      if (after !== null) query = query.where('id', '>', after)
      const rows = await query.execute()
      const page = rows.slice(0, limit).map(connectorOf)
      return { connectors: page, next: rows.length > limit ? page.at(-1)!.id : null }
    },

    update(tenant, id, changes, now) {
      return immediately(db, async (db) => {
        const row = await db
          .selectFrom('connectors')
          .selectAll()
          .where(ownedBy(tenant))
          .where('id', '=', id)
          .executeTakeFirst()
        if (row === undefined) return { outcome: 'missing' }
        const before = connectorOf(row)
        const connector: StoredConnector = {
          ...before,
          name: changes.name ?? before.name,
          sync: changes.sync ?? before.sync,
          ...(changes.credentials && { authMethod: changes.credentials.authMethod, status: 'active' }),
          updatedAt: now,
        }
        const taken = connector.name === before.name ? null : await nameTaken(db, connector)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        await db
          .updateTable('connectors')
          .set(rowOf(tenant, connector))
          .where(ownedBy(tenant))
          .where('id', '=', id)
          .execute()
        if (changes.credentials)
          await db
            .updateTable('connector_credentials')
            .set((set) => ({ sealed: changes.credentials!.sealed, version: set('version', '+', 1) }))
            .where('organization_id', '=', tenant.organizationId)
            .where('connector_id', '=', id)
            .execute()
        return { outcome: 'updated', connector }
      })
    },

    async replaceCredentials(tenant, id, version, sealed) {
      const result = await db
        .updateTable('connector_credentials')
        .set({ sealed, version: version + 1 })
        .where('version', '=', version)
        .where('connector_id', 'in', (owned) =>
          owned.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', id),
        )
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async setStatus(tenant, id, version, status, now) {
      const result = await db
        .updateTable('connectors')
        .set({ status, updated_at: now })
        .where(ownedBy(tenant))
        .where('id', '=', id)
        .where('id', 'in', (current) =>
          current
            .selectFrom('connector_credentials')
            .select('connector_id')
            .where('connector_id', '=', id)
            .where('version', '=', version),
        )
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async delete(tenant, id) {
      const result = await db.deleteFrom('connectors').where(ownedBy(tenant)).where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

// An external user id is never empty, so that this caller can't be mistaken for an end user.
const organizationWide = ''

async function nameTaken(db: Kysely<Tables>, connector: StoredConnector): Promise<string | null> {
  const row = await db
    .selectFrom('connectors')
    .select('id')
    .where('organization_id', '=', connector.organizationId)
    .where('external_user_id', '=', connector.externalUserId)
    .where('connector_type', '=', connector.connectorType)
    .where('name', '=', connector.name)
    .executeTakeFirst()
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
    sync: { enabled: row.sync_enabled === 1, intervalSeconds: row.sync_interval_seconds },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
