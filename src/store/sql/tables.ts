/** The ordinary tables: one declaration, which gives queries their types and both databases their `create table`. */
import { type ColumnType, type Generated, Kysely, type Selectable, SqliteDialect } from 'kysely'
import { snakeCase } from './names.ts'

const ofOrganization = 'text not null references organizations (id) on delete cascade'
const ofConnector = 'text not null references connectors (id) on delete cascade'
const keyOfConnector = 'text primary key references connectors (id) on delete cascade'

/** Whose something is that is kept for one end user. */
const forEndUser = {
  organizationId: ofOrganization,
  externalUserId: 'text not null',
  connectorType: 'text not null',
} as const

/** Columns in SQL, which begin with the name of a `ColumnTypes`. */
const tables = {
  organizations: {
    id: 'text primary key',
    name: 'text not null',
    createdAt: 'text not null',
    // A list as JSON; null allows all.
    redirectUrls: 'text',
  },
  clients: {
    id: 'text primary key',
    organizationId: ofOrganization,
    secretHash: 'text not null',
    createdAt: 'text not null',
    name: "text not null default ''",
    rotatedAt: 'text',
    revokedAt: 'text',
  },
  connectors: {
    id: 'text primary key',
    ...forEndUser,
    name: 'text not null',
    authMethod: 'text not null',
    status: "text not null check (status in ('active', 'reauthorization_required', 'deleting'))",
    replicationConfig: 'text',
    syncEnabled: 'flag not null',
    syncIntervalSeconds: 'integer not null',
    syncStartDate: 'text',
    createdAt: 'text not null',
    updatedAt: 'text not null',
  },
  // A table of its own, so that reading connectors never touches sealed data.
  connectorCredentials: {
    connectorId: keyOfConnector,
    organizationId: 'text not null',
    sealed: 'text not null',
    version: 'integer not null',
    // Who renews the credentials, and until when others leave it to them.
    renewer: 'text',
    renewerUntil: 'text',
  },
  idempotencyKeys: {
    organizationId: ofOrganization,
    caller: 'text not null',
    key: 'text not null',
    requestHash: 'text not null',
    connectorId: ofConnector,
    result: 'text not null',
  },
  // Found by the hash of what the browser carries, so that the table gives nobody a state to come back with. Whose it is
  // is not known before it is found.
  consents: {
    stateHash: 'text not null',
    ...forEndUser,
    // Where the browser goes in the end.
    redirectUrl: 'text not null',
    sealed: 'text not null',
    expiresAt: 'text not null',
  },
  // A used grant stays to its end, emptied, so that a second use differs from an unknown grant.
  grants: {
    secretHash: 'text not null',
    ...forEndUser,
    sealed: 'text',
    expiresAt: 'text not null',
  },
  // Found by the hash of what the end user types.
  signInCodes: {
    codeHash: 'text not null',
    organizationId: ofOrganization,
    externalUserId: 'text not null',
    // The client that made it.
    createdBy: 'text',
    expiresAt: 'text not null',
  },
  // What end users allowed programs of agents. Of both secrets only the hash is kept.
  agentGrants: {
    grantHash: 'text not null',
    organizationId: ofOrganization,
    externalUserId: 'text not null',
    createdBy: 'text',
    // The program, and the name that its user saw.
    clientId: 'text not null',
    clientName: 'text not null',
    allowedAt: 'text not null',
    secretHash: 'text not null',
    // Null once the code was exchanged.
    redirectUri: 'text',
    codeChallenge: 'text',
    expiresAt: 'text not null',
  },
  // No reference to anything: entries outlive what they tell of.
  auditLog: {
    // Grows in the order of writing.
    number: 'longCounter',
    organizationId: 'text not null',
    at: 'text not null',
    event: 'text not null',
    // The client that acted; null for Conex itself and its command line.
    clientId: 'text',
    externalUserId: 'text',
    connectorId: 'text',
    details: 'text not null',
  },
  // No reference to a connector: events outlive what they tell of.
  events: {
    organizationId: ofOrganization,
    // The order of the organization's events, without gaps.
    position: 'long not null',
    id: 'text not null',
    type: 'text not null',
    at: 'text not null',
    connectorId: 'text',
    externalUserId: 'text',
    connectorType: 'text',
    details: 'text not null',
  },
  // The last place in that order that was given, and the last whose event is not kept any more.
  eventHeads: {
    organizationId: 'text primary key references organizations (id) on delete cascade',
    last: 'long not null',
    pruned: 'long not null default 0',
  },
  // Where organizations have their events sent.
  webhooks: {
    id: 'text primary key',
    organizationId: ofOrganization,
    url: 'text not null',
    description: 'text not null',
    // A list as JSON; null takes all.
    types: 'text',
    // The secrets that sign.
    sealed: 'text not null',
    createdAt: 'text not null',
    updatedAt: 'text not null',
    // There are deliveries of the events up to this place.
    position: 'long not null',
    // Nothing was delivered since then.
    failingSince: 'text',
    disabledAt: 'text',
    // Who delivers, and until when others leave it to them.
    holder: 'text',
    heldUntil: 'text',
  },
  // Events on their way to a webhook, and what became of them. They go with their event.
  deliveries: {
    organizationId: ofOrganization,
    webhookId: 'text not null',
    position: 'long not null',
    // The connector: its events go one after the other.
    lane: 'text not null',
    status: "text not null check (status in ('waiting', 'delivered', 'parked'))",
    attempts: 'integer not null',
    // Since when it is tried, and when it is tried next.
    since: 'text not null',
    dueAt: 'text not null',
    triedAt: 'text',
    answered: 'integer',
    fault: 'text',
  },
  // The counts of calls to third-party systems. The key is a hash of the credentials that the system counts by, which
  // several connectors may have in common.
  ledgers: {
    key: 'text not null',
    ledger: 'text not null',
    version: 'integer not null',
    expiresAt: 'text not null',
  },
  // The state of copies. The number stands for connector and entity in the tables of records, and leads all their
  // indexes. It is never used again, so that nothing of a removed copy can come up in a new one.
  copies: {
    number: 'counter',
    connectorId: ofConnector,
    entity: 'text not null',
    // While a release that changed the fields of the entity comes in, there is a copy in each table.
    recordsTable: 'text not null',
    status: "text not null check (status in ('waiting', 'running', 'finished', 'failed'))",
    records: 'integer not null default 0',
    pass: 'integer not null default 0',
    passIsFull: 'flag not null default false',
    passStartedAt: 'text',
    // The last pass that was swept, now and when the running one began.
    sweptPass: 'integer not null default 0',
    sweptBefore: 'integer not null default 0',
    mark: "text not null default 'null'",
    complete: 'flag not null default false',
    syncedAt: 'text',
    finishedAt: 'text',
    lastError: 'text',
    progress: 'text',
    // What has changed since an event told it.
    inserted: 'integer not null default 0',
    updated: 'integer not null default 0',
    deleted: 'integer not null default 0',
    // May be long, so it comes last: reading the other columns of a row stops before it.
    checkpoint: 'text',
  },
  // Apart from the records, so that meeting one that has not changed writes 30 bytes and not all of it.
  copyMarks: { copy: 'integer not null', id: 'text not null', met: 'integer not null' },
  copyLeases: { connectorId: keyOfConnector, token: 'integer not null', holder: 'text', until: 'text not null' },
  // Copies that are out of sight and whose records are still to be deleted.
  copyRemains: { number: 'integer primary key', recordsTable: 'text not null' },
  // The tables of records, which are made from the catalog.
  copyTables: {
    name: 'text primary key',
    kind: 'text not null',
    entity: 'text not null',
    fields: 'text not null',
    usedAt: 'text not null',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Tables whose rows are kept in the order of this key, where there is a choice. */
const keptByKey: { readonly [Table in keyof Tables]?: string } = {
  idempotencyKeys: 'organization_id, caller, key',
  consents: 'state_hash',
  grants: 'organization_id, secret_hash',
  signInCodes: 'code_hash',
  agentGrants: 'grant_hash',
  ledgers: 'key',
  copyMarks: 'copy, id',
}

const indexesAndViews = [
  'create index clients_of_organization on clients (organization_id)',
  'create unique index connectors_by_name on connectors (organization_id, external_user_id, connector_type, name)',
  'create index connectors_by_age on connectors (organization_id, id)',
  'create index connectors_of_end_user on connectors (organization_id, external_user_id, id)',
  'create index connectors_of_kind on connectors (organization_id, connector_type, id)',
  'create index idempotency_keys_of_connector on idempotency_keys (connector_id)',
  'create index consents_by_end on consents (expires_at)',
  'create index consents_of_organization on consents (organization_id)',
  'create index grants_by_end on grants (expires_at)',
  'create index sign_in_codes_by_end on sign_in_codes (expires_at)',
  'create index sign_in_codes_of_end_user on sign_in_codes (organization_id, external_user_id)',
  'create index agent_grants_by_end on agent_grants (expires_at)',
  'create index agent_grants_of_end_user on agent_grants (organization_id, external_user_id)',
  // One for each filter, so that no list goes through what belongs to others.
  'create index audit_log_of_organization on audit_log (organization_id, number)',
  'create index audit_log_by_connector on audit_log (organization_id, connector_id, number)',
  'create index audit_log_by_end_user on audit_log (organization_id, external_user_id, number)',
  'create index audit_log_by_event on audit_log (organization_id, event, number)',
  'create index audit_log_by_client on audit_log (organization_id, client_id, number)',
  'create unique index events_in_order on events (organization_id, position)',
  'create index events_by_type on events (organization_id, type, position)',
  'create index events_by_connector on events (organization_id, connector_id, position)',
  'create index events_by_end_user on events (organization_id, external_user_id, position)',
  'create index webhooks_of_organization on webhooks (organization_id, id)',
  'create unique index deliveries_in_order on deliveries (organization_id, webhook_id, position)',
  'create index deliveries_by_status on deliveries (organization_id, webhook_id, status, position)',
  'create index ledgers_by_end on ledgers (expires_at)',
  'create unique index copies_by_table on copies (connector_id, entity, records_table)',
  // Of several copies of one entity of a connector the one to show: the newest that is whole, or else the newest.
  `create view answering_copies as select number, connector_id from copies where not exists (
    select 1 from copies as other where other.connector_id = copies.connector_id and other.entity = copies.entity
      and (other.synced_at is not null, other.number) > (copies.synced_at is not null, copies.number))`,
]

/** How a database writes what it has a word of its own for. */
export interface ColumnTypes {
  /** Text that is compared and ordered by code point. */
  readonly text: string
  readonly integer: string
  /** A number that may pass 2^31. */
  readonly long: string
  readonly flag: string
  /** The key of a table whose rows are counted from 1. No number is given twice. */
  readonly counter: string
  /** The same where a number may pass 2^31. */
  readonly longCounter: string
  /** What ends a table. */
  readonly end: string
  /** What ends a table that is kept by its key. */
  readonly endByKey: string
}

/** The statements that every database begins with. Triggers each adds itself. */
export const firstTables = (types: ColumnTypes): string[] => [
  ...Object.entries(tables).map(([table, columns]) => {
    const lines = Object.entries(columns).map(([column, written]) => {
      const type = /^\w+/.exec(written)![0]
      return `${snakeCase(column)} ${types[type as keyof ColumnTypes]}${written.slice(type.length)}`
    })
    const key = keptByKey[table as keyof Tables]
    if (key !== undefined) lines.push(`primary key (${key})`)
    return `create table ${snakeCase(table)} (${lines.join(', ')})${key === undefined ? types.end : types.endByKey}`
  }),
  ...indexesAndViews,
]

type Listed<List> = List extends `'${infer First}', ${infer Rest}`
  ? First | Listed<Rest>
  : List extends `'${infer Last}'`
    ? Last
    : never

type Value<Written> = Written extends `${string} in (${infer List}))`
  ? Listed<List>
  : Written extends `text${string}`
    ? string
    : number

/** SQLite gives flags back as numbers; PostgreSQL gives long numbers as texts. */
interface Special {
  readonly counter: Generated<number>
  readonly longCounter: Generated<number | string>
  readonly 'long not null': ColumnType<number | string, number, number>
  readonly 'long not null default 0': ColumnType<number | string, number | undefined, number>
  readonly 'flag not null': ColumnType<boolean | number, boolean, boolean>
  readonly 'flag not null default false': ColumnType<boolean | number, boolean | undefined, boolean>
}

type Column<Written> = Written extends keyof Special
  ? Special[Written]
  : Written extends `${string} default ${string}`
    ? Generated<Value<Written>>
    : Written extends `${string} not null${string}` | `${string} primary key${string}`
      ? Value<Written>
      : Value<Written> | null

export type Tables = {
  [Table in keyof typeof tables]: { [Name in keyof (typeof tables)[Table]]: Column<(typeof tables)[Table][Name]> }
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** Where queries are written. Each database compiles and runs them itself, so that it never matters whose dialect this is. */
export const db = new Kysely<Tables>({
  dialect: new SqliteDialect({
    database: async () => {
      throw new Error('This is not where queries are run.')
    },
  }),
})

/** Values for a condition that columns equal them; kysely leaves out those that are undefined. */
export const given = <Values extends object>(values: Values) =>
  values as { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> }
