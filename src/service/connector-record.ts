/** A connector as callers see it. Credentials are not part of it, in any form. */
import type { Catalog } from '../catalog/catalog.ts'
import type { StoredConnector } from '../store/store.ts'

export interface ConnectorRecord {
  readonly id: string
  readonly name: string
  readonly connector_type: string
  readonly definition_id: string
  readonly external_user_id: string
  readonly auth_method: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly sync: { readonly enabled: boolean; readonly interval_seconds: number; readonly start_date?: string }
}

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
