/** Organizations, their clients, and connectors with their credentials. */
import type { Migration } from '../../sql/migrations.ts'

// Everywhere the order of texts is that of their code points, whatever language the database is set to.
export const firstTables: Migration = {
  number: 1,
  statements: [
    `create table organizations (
      id text collate "C" primary key,
      name text not null,
      created_at text collate "C" not null
    )`,
    `create table clients (
      id text collate "C" primary key,
      organization_id text collate "C" not null references organizations (id) on delete cascade,
      secret_hash text not null,
      created_at text collate "C" not null
    )`,
    'create index clients_of_organization on clients (organization_id)',
    `create table connectors (
      id text collate "C" primary key,
      organization_id text collate "C" not null references organizations (id) on delete cascade,
      external_user_id text collate "C" not null,
      connector_type text collate "C" not null,
      name text collate "C" not null,
      auth_method text not null,
      status text not null check (status in ('active', 'reauthorization_required', 'deleting')),
      replication_config text,
      sync_enabled boolean not null,
      sync_interval_seconds integer not null,
      created_at text collate "C" not null,
      updated_at text collate "C" not null,
      unique (organization_id, external_user_id, connector_type, name)
    )`,
    'create index connectors_by_age on connectors (organization_id, id)',
    'create index connectors_of_end_user on connectors (organization_id, external_user_id, id)',
    // A table of its own, so that reading connectors never touches what is sealed.
    `create table connector_credentials (
      connector_id text collate "C" primary key references connectors (id) on delete cascade,
      organization_id text collate "C" not null,
      sealed text not null,
      version integer not null
    )`,
    `create table idempotency_keys (
      organization_id text collate "C" not null references organizations (id) on delete cascade,
      caller text collate "C" not null,
      key text collate "C" not null,
      request_hash text not null,
      connector_id text collate "C" not null references connectors (id) on delete cascade,
      result text not null,
      primary key (organization_id, caller, key)
    )`,
    'create index idempotency_keys_of_connector on idempotency_keys (connector_id)',
  ],
}
