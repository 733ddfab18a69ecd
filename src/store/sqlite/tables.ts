/** The tables as SQLite has them. */
import type { Generated } from 'kysely'

export interface Tables {
  organizations: { id: string; name: string; created_at: string; redirect_urls: string | null }
  clients: {
    id: string
    organization_id: string
    secret_hash: string
    created_at: string
    name: string
    rotated_at: string | null
    revoked_at: string | null
  }
  connectors: {
    id: string
    organization_id: string
    external_user_id: string
    connector_type: string
    name: string
    auth_method: string
    status: string
    replication_config: string | null
    sync_enabled: number
    sync_interval_seconds: number
    sync_start_date: string | null
    created_at: string
    updated_at: string
  }
  connector_credentials: {
    connector_id: string
    organization_id: string
    sealed: string
    version: number
    renewer: string | null
    renewer_until: string | null
  }
  audit_log: {
    number: Generated<number>
    organization_id: string
    at: string
    event: string
    client_id: string | null
    external_user_id: string | null
    connector_id: string | null
    details: string
  }
  consents: {
    state_hash: string
    organization_id: string
    external_user_id: string
    connector_type: string
    redirect_url: string
    sealed: string
    expires_at: string
  }
  grants: {
    secret_hash: string
    organization_id: string
    external_user_id: string
    connector_type: string
    sealed: string | null
    expires_at: string
  }
  idempotency_keys: {
    organization_id: string
    caller: string
    key: string
    request_hash: string
    connector_id: string
    result: string
  }
}
