/** A connector as callers see it, without its credentials. */
import type { Catalog } from '../catalog/catalog.ts'
import type { StoredConnector } from '../store/connectors.ts'
import { keepsCopy } from '../sync/entity-order.ts'
import type { ConnectorRecord } from '../wire.ts'

export function connectorRecord(catalog: Catalog, connector: StoredConnector): ConnectorRecord {
  const kind = Object.hasOwn(catalog, connector.connectorType) ? catalog[connector.connectorType] : undefined
  return {
    id: connector.id,
    name: connector.name,
    connector_type: connector.connectorType,
    definition_id: kind?.definitionId ?? '',
    external_user_id: connector.externalUserId,
    auth_method: connector.authMethod,
    status: kind === undefined ? 'unavailable' : connector.status,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
    sync: {
      // The stored value is the caller's wish. It takes effect when a release has a copy for the kind.
      enabled: connector.sync.enabled && kind !== undefined && keepsCopy(kind),
      interval_seconds: connector.sync.intervalSeconds,
      ...(connector.sync.startDate !== undefined && { start_date: connector.sync.startDate }),
    },
  }
}
