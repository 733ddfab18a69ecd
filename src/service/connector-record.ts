/** A connector as callers see it. Credentials are not part of it, in any form. */
import type { Catalog } from '../catalog/catalog.ts'
import type { StoredConnector } from '../store/store.ts'
import type { ConnectorRecord } from '../wire.ts'

export function connectorRecord(catalog: Catalog, connector: StoredConnector): ConnectorRecord {
  return {
    id: connector.id,
    name: connector.name,
    connector_type: connector.connectorType,
    definition_id: catalog[connector.connectorType]?.definitionId ?? '',
    external_user_id: connector.externalUserId,
    auth_method: connector.authMethod,
    status: connector.status,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
    sync: {
      enabled: connector.sync.enabled,
      interval_seconds: connector.sync.intervalSeconds,
      ...(connector.sync.startDate !== undefined && { start_date: connector.sync.startDate }),
    },
  }
}
