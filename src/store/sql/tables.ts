/** The ordinary tables, as both databases have them. */
import {
  type ColumnType,
  DummyDriver,
  type Generated,
  Kysely,
  type Selectable,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** Yes or no; SQLite gives it back as a number. */
type Flag = ColumnType<boolean | number, boolean, boolean>
type FlagOrFalse = ColumnType<boolean | number, boolean | undefined, boolean>

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
    sync_enabled: Flag
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
    number: Generated<number | string>
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
  ledgers: { key: string; ledger: string; version: number; expires_at: string }
  copies: {
    number: Generated<number>
    connector_id: string
    entity: string
    records_table: string
    status: 'waiting' | 'running' | 'finished' | 'failed'
    records: Generated<number>
    pass: Generated<number>
    pass_is_full: FlagOrFalse
    pass_started_at: string | null
    mark: Generated<string>
    complete: FlagOrFalse
    synced_at: string | null
    finished_at: string | null
    error_code: string | null
    error_detail: string | null
    error_at: string | null
    progress: string | null
  }
  copy_checkpoints: { copy: number; part_hash: string; value: string }
  copy_marks: { copy: number; id: string; met: number; misses: Generated<number>; missed_by: Generated<number> }
  copy_leases: { connector_id: string; token: number; holder: string | null; until: string }
  copy_remains: { number: number; records_table: string }
  copy_tables: { name: string; kind: string; entity: string; fields: string; used_at: string }
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** Where queries are written. Each database compiles them in its own way and runs them itself, so that it never matters whose parts these are. */
export const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (owner) => new SqliteIntrospector(owner),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
