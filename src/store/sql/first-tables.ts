/** The tables that every database begins with. Only the types of columns differ, and triggers, which each adds itself. */

/** How a database writes what it has a word of its own for. */
export interface ColumnTypes {
  /** Text that is compared and ordered by code point. */
  readonly text: string
  readonly flag: string
  /** The key of a table whose rows are counted from 1. No number is given twice. */
  readonly counter: string
  /** The same where a number may pass 2^31. */
  readonly longCounter: string
  /** What ends a table. */
  readonly end: string
  /** What ends a table whose rows are kept in the order of its key, where there is a choice. */
  readonly endByKey: string
}

export const firstTables = ({ text, flag, counter, longCounter, end, endByKey }: ColumnTypes): string[] => [
  `create table organizations (
    id ${text} primary key,
    name ${text} not null,
    created_at ${text} not null,
    -- A list as JSON; null allows all.
    redirect_urls ${text}
  )${end}`,
  `create table clients (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    secret_hash ${text} not null,
    created_at ${text} not null,
    name ${text} not null default '',
    rotated_at ${text},
    revoked_at ${text}
  )${end}`,
  'create index clients_of_organization on clients (organization_id)',
  `create table connectors (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    external_user_id ${text} not null,
    connector_type ${text} not null,
    name ${text} not null,
    auth_method ${text} not null,
    status ${text} not null check (status in ('active', 'reauthorization_required', 'deleting')),
    replication_config ${text},
    sync_enabled ${flag} not null,
    sync_interval_seconds integer not null,
    sync_start_date ${text},
    created_at ${text} not null,
    updated_at ${text} not null,
    unique (organization_id, external_user_id, connector_type, name)
  )${end}`,
  'create index connectors_by_age on connectors (organization_id, id)',
  'create index connectors_of_end_user on connectors (organization_id, external_user_id, id)',
  'create index connectors_of_kind on connectors (organization_id, connector_type, id)',
  // A table of its own, so that reading connectors never touches sealed data.
  `create table connector_credentials (
    connector_id ${text} primary key references connectors (id) on delete cascade,
    organization_id ${text} not null,
    sealed ${text} not null,
    version integer not null,
    -- Who renews the credentials, and until when others leave it to them.
    renewer ${text},
    renewer_until ${text}
  )${end}`,
  `create table idempotency_keys (
    organization_id ${text} not null references organizations (id) on delete cascade,
    caller ${text} not null,
    key ${text} not null,
    request_hash ${text} not null,
    connector_id ${text} not null references connectors (id) on delete cascade,
    result ${text} not null,
    primary key (organization_id, caller, key)
  )${endByKey}`,
  'create index idempotency_keys_of_connector on idempotency_keys (connector_id)',
  // Found by the hash of what the browser carries, so that the table gives nobody a state to come back with. Whose it is
  // is not known before it is found.
  `create table consents (
    state_hash ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    external_user_id ${text} not null,
    connector_type ${text} not null,
    redirect_url ${text} not null,
    sealed ${text} not null,
    expires_at ${text} not null
  )${endByKey}`,
  'create index consents_by_end on consents (expires_at)',
  'create index consents_of_organization on consents (organization_id)',
  // A used grant stays to its end without what was sealed, so that a second use can be told from an unknown one.
  `create table grants (
    organization_id ${text} not null references organizations (id) on delete cascade,
    secret_hash ${text} not null,
    external_user_id ${text} not null,
    connector_type ${text} not null,
    sealed ${text},
    expires_at ${text} not null,
    primary key (organization_id, secret_hash)
  )${endByKey}`,
  'create index grants_by_end on grants (expires_at)',
  // No reference to anything: entries outlive what they tell of.
  `create table audit_log (
    number ${longCounter},
    organization_id ${text} not null,
    at ${text} not null,
    event ${text} not null,
    client_id ${text},
    external_user_id ${text},
    connector_id ${text},
    details ${text} not null
  )${end}`,
  // One for each filter, so that no list goes through what belongs to others.
  'create index audit_log_of_organization on audit_log (organization_id, number)',
  'create index audit_log_by_connector on audit_log (organization_id, connector_id, number)',
  'create index audit_log_by_end_user on audit_log (organization_id, external_user_id, number)',
  'create index audit_log_by_event on audit_log (organization_id, event, number)',
  'create index audit_log_by_client on audit_log (organization_id, client_id, number)',
  // The counts of calls to third-party systems. The key is a hash of the credentials that the system counts by, which
  // several connectors may have in common.
  `create table ledgers (
    key ${text} primary key,
    ledger ${text} not null,
    version integer not null,
    expires_at ${text} not null
  )${endByKey}`,
  'create index ledgers_by_end on ledgers (expires_at)',
  // The state of copies. The number stands for connector and entity in the tables of records, and leads all their
  // indexes. It is never used again, so that nothing of a removed copy can come up in a new one.
  `create table copies (
    number ${counter},
    connector_id ${text} not null references connectors (id) on delete cascade,
    entity ${text} not null,
    -- While a release that changed the fields of the entity comes in, there is a copy in each table.
    records_table ${text} not null,
    status ${text} not null check (status in ('waiting', 'running', 'finished', 'failed')),
    records integer not null default 0,
    pass integer not null default 0,
    pass_is_full ${flag} not null default false,
    pass_started_at ${text},
    mark ${text} not null default 'null',
    complete ${flag} not null default false,
    synced_at ${text},
    finished_at ${text},
    error_code ${text},
    error_detail ${text},
    error_at ${text},
    progress ${text},
    unique (connector_id, entity, records_table)
  )${end}`,
  // A part may be as long as it likes, an entry of an index not.
  `create table copy_checkpoints (
    copy integer not null references copies (number) on delete cascade,
    part_hash ${text} not null,
    value ${text} not null,
    primary key (copy, part_hash)
  )${endByKey}`,
  // Apart from the records, so that meeting one that has not changed writes 30 bytes and not all of it.
  `create table copy_marks (
    copy integer not null,
    id ${text} not null,
    met integer not null,
    misses integer not null default 0,
    missed_by integer not null default 0,
    primary key (copy, id)
  )${endByKey}`,
  `create table copy_leases (
    connector_id ${text} primary key references connectors (id) on delete cascade,
    token integer not null,
    holder ${text},
    until ${text} not null
  )${end}`,
  // Copies that are out of sight and whose records are still to be deleted.
  `create table copy_remains (
    number integer primary key,
    records_table ${text} not null
  )${end}`,
  // The tables of records, which are made from the catalog.
  `create table copy_tables (
    name ${text} primary key,
    kind ${text} not null,
    entity ${text} not null,
    fields ${text} not null,
    used_at ${text} not null
  )${end}`,
  // Of several copies of one entity of a connector the one to show: the newest that is whole, or else the newest.
  `create view answering_copies as select number, connector_id from copies where not exists (
    select 1 from copies as other where other.connector_id = copies.connector_id and other.entity = copies.entity
      and (other.synced_at is not null, other.number) > (copies.synced_at is not null, copies.number))`,
]
