/** Organizations, their clients, and connectors with their credentials. */
import type { Migration } from '../../sql/migrations.ts'

export const firstTables: Migration = {
  number: 1,
  statements: [
    `create table organizations (
      id text primary key,
      name text not null,
      created_at text not null
    ) strict`,
    `create table clients (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      secret_hash text not null,
      created_at text not null
    ) strict`,
    `create table connectors (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      external_user_id text not null,
      connector_type text not null,
      name text not null,
      auth_method text not null,
      status text not null check (status in ('active', 'reauthorization_required', 'deleting')),
      replication_config text,
      sync_enabled integer not null check (sync_enabled in (0, 1)),
      sync_interval_seconds integer not null,
      created_at text not null,
      updated_at text not null,
      unique (organization_id, external_user_id, connector_type, name)
    ) strict`,
    'create index connectors_by_age on connectors (organization_id, id)',
    'create index connectors_of_end_user on connectors (organization_id, external_user_id, id)',
    // A table of its own, so that reading connectors never touches what is sealed.
    `create table connector_credentials (
      connector_id text primary key references connectors (id) on delete cascade,
      organization_id text not null,
      sealed text not null,
      version integer not null
    ) strict`,
    `create table idempotency_keys (
      organization_id text not null references organizations (id) on delete cascade,
      caller text not null,
      key text not null,
      request_hash text not null,
      connector_id text not null references connectors (id) on delete cascade,
      result text not null,
      primary key (organization_id, caller, key)
    ) strict, without rowid`,
    'create index idempotency_keys_of_connector on idempotency_keys (connector_id)',
  ],
}
