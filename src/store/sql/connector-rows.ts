/** Connectors as rows of their table. */
import type { Insertable } from 'kysely'
import type { ConnectorStatus, StoredConnector } from '../connectors.ts'
import type { Tenant } from '../tenant.ts'
import { ownedBy } from './owned-by.ts'
import { first, type Steps } from './steps.ts'
import { db, type Row, type Tables } from './tables.ts'

/** Every row written is the tenant's own, whatever the connector says. */
export const rowOf = (tenant: Tenant, connector: StoredConnector) =>
  ({
    id: connector.id,
    organization_id: tenant.organizationId,
    external_user_id: tenant.externalUserId ?? connector.externalUserId,
    connector_type: connector.connectorType,
    name: connector.name,
    auth_method: connector.authMethod,
    status: connector.status,
    replication_config: connector.replicationConfig === null ? null : JSON.stringify(connector.replicationConfig),
    sync_enabled: connector.sync.enabled,
    sync_interval_seconds: connector.sync.intervalSeconds,
    sync_start_date: connector.sync.startDate ?? null,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
  }) satisfies Insertable<Tables['connectors']>

export function connectorOf(row: Row<'connectors'>): StoredConnector {
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
      enabled: Boolean(row.sync_enabled),
      intervalSeconds: row.sync_interval_seconds,
      ...(row.sync_start_date !== null && { startDate: row.sync_start_date }),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The connector, locked until the transaction ends when it is read to be changed. */
export function* findRow(tenant: Tenant, id: string, purpose?: 'to change'): Steps<Row<'connectors'> | undefined> {
  const query = db.selectFrom('connectors').selectAll().where(ownedBy(tenant)).where('id', '=', id)
  return yield* first(purpose === undefined ? query : query.forNoKeyUpdate())
}

/** The id of the connector that has the name of this one, or null when the name is free. */
export function* nameTaken(wanted: ReturnType<typeof rowOf>): Steps<string | null> {
  const row = yield* first(
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

/** Names within an organization are given one after another, so that a free name stays free. */
export function* oneAtATime({ organizationId }: Tenant): Steps<void> {
  yield* first(db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate())
}
