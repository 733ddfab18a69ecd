/** Connectors: made, read, changed and deleted. */
import { type AuditDetails, writeAudit } from './audit.ts'
import { type GrantBinding, spendGrant } from './consents.ts'
import { type NewEvent, writeEvents } from './events.ts'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'
import { db, given, type Row } from './sql/tables.ts'
import { connectorOf, ownedBy, type Tenant } from './tenant.ts'

export type ConnectorStatus = Row<'connectors'>['status']

/** How the copy of a connector is kept. */
export interface SyncChoice {
  readonly enabled: boolean
  readonly intervalSeconds: number
  /** From when on dated records are copied; absent where the kind says it. */
  readonly startDate?: string
}

/** One end user's instance of a kind, without its credentials. Times are ISO 8601 in UTC. */
export interface StoredConnector extends Readonly<Omit<Row<'connectors'>, 'replicationConfig' | `sync${string}`>> {
  readonly replicationConfig: Readonly<Record<string, unknown>> | null
  readonly sync: SyncChoice
}

/** A creation that may be sent again: the caller's key, and a hash of the request. */
export interface IdempotencyKey {
  readonly key: string
  readonly requestHash: string
}

export type Creation =
  /** Made now, or made before under the same key; the connector is as it was when it was made. */
  | { readonly outcome: 'created' | 'repeated'; readonly connector: StoredConnector }
  /** The name is taken by this connector. */
  | { readonly outcome: 'name taken'; readonly existingId: string }
  /** The key was used before for another request. */
  | { readonly outcome: 'key taken' }
  /** The grant was taken over by another connector meanwhile. */
  | { readonly outcome: 'grant used' }

export interface ConnectorFilter {
  readonly externalUserId?: string | undefined
  readonly connectorType?: string | undefined
}

/** Changes to a connector; absent fields stay as they are. */
export interface ConnectorChanges {
  readonly name?: string | undefined
  /** What it becomes from what it is by then: others may change another part of it at the same time. */
  readonly sync?: ((before: SyncChoice) => SyncChoice) | undefined
  /** New credentials; whatever the status was, it is `active` afterwards. */
  readonly credentials?:
    | { readonly authMethod: string; readonly sealed: string; readonly grant?: GrantBinding | undefined }
    | undefined
}

export type Update =
  | { readonly outcome: 'updated'; readonly connector: StoredConnector; readonly before: StoredConnector }
  | { readonly outcome: 'name taken'; readonly existingId: string }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'grant used' }

export interface DeletionNote {
  readonly at: string
  readonly details?: AuditDetails
}

export function connectorStore(queries: Queries) {
  return {
    /**
     * Keeps a new connector with its sealed credentials and, where there are any, the idempotency key and the grant that it uses
     * up: all of it or nothing.
     * Keys of an organization-wide caller and of each end user are told apart, and go when the connector goes.
     */
    create: (tenant: Tenant, connector: StoredConnector, sealed: string, key?: IdempotencyKey, grant?: GrantBinding) =>
      queries.transaction(function* (): Steps<Creation> {
        yield* oneAtATime(tenant)
        const before = key === undefined ? null : yield* createdBefore(tenant, key)
        if (before !== null) return before
        const row = rowOf(tenant, connector)
        const taken = yield* nameTaken(row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        if (grant !== undefined && !(yield* spendGrant(tenant, grant))) return { outcome: 'grant used' }
        const { organizationId, externalUserId, connectorType, authMethod } = row
        const connectorId = connector.id
        yield* change(db.insertInto('connectors').values(row))
        const credentials = { connectorId, organizationId, sealed, version: 1 }
        yield* change(db.insertInto('connectorCredentials').values(credentials))
        const made = storedOf(row)
        if (key !== undefined) {
          const requestHash = key.requestHash
          const values = { ...keyOf(tenant, key), requestHash, connectorId, result: JSON.stringify(made) }
          yield* change(db.insertInto('idempotencyKeys').values(values))
        }
        const details = { connector_type: connectorType, auth_method: authMethod, consented: grant !== undefined }
        const entry = { at: made.createdAt, externalUserId, connectorId, details }
        yield* writeAudit(tenant, { event: 'connector.created', ...entry })
        yield* writeEvents(tenant, subjectOf(made), {
          type: 'connector.created',
          at: made.createdAt,
          details: { name: made.name, auth_method: authMethod },
        })
        return { outcome: 'created', connector: made }
      }),

    /** What a creation with this key would be told before anything else is looked at; null when the key is new. */
    createdBefore: (tenant: Tenant, key: IdempotencyKey) => queries.run(createdBefore(tenant, key)),

    /** The id of the connector that has the name of this one already, or null. */
    nameTaken: (tenant: Tenant, connector: StoredConnector) => queries.run(nameTaken(rowOf(tenant, connector))),

    async find(tenant: Tenant, id: string) {
      const row = await queries.run(first(connectorOf(tenant, id).selectAll()))
      return row === undefined ? null : storedOf(row)
    },

    /** Connectors by age, at most `limit`, after the given id; `next` is the one to go on after, null on the last page. */
    async list(tenant: Tenant, filter: ConnectorFilter, limit: number, after: string | null) {
      const { externalUserId, connectorType } = filter
      const query = db
        .selectFrom('connectors')
        .selectAll()
        .where(ownedBy(tenant))
        .where((where) => where.and(given({ externalUserId, connectorType })))
        .where('id', '>', after ?? '')
      // One more than asked tells whether there is a next page.
      const rows = await queries.run(all(query.orderBy('id').limit(limit + 1)))
      const connectors = rows.slice(0, limit).map(storedOf)
      return { connectors, next: rows.length > limit ? connectors.at(-1)!.id : null }
    },

    /** The ids of end users with connectors that contain a text, at most `limit`, in their order, after the given one. */
    async endUsers(tenant: Tenant, part: string, limit: number, after: string): Promise<readonly string[]> {
      const query = db
        .selectFrom('connectors')
        .select('externalUserId')
        .distinct()
        .where(ownedBy(tenant))
        .where('externalUserId', '>', after)
      // Unlike LIKE, replace is the same on both databases.
      const named =
        part === ''
          ? query
          : query.where((eb) =>
              eb(eb.fn('replace', ['externalUserId', eb.val(part), eb.val('')]), '!=', eb.ref('externalUserId')),
            )
      const rows = await queries.run(all(named.orderBy('externalUserId').limit(limit)))
      return rows.map(({ externalUserId }) => externalUserId)
    },

    update: (tenant: Tenant, id: string, changes: ConnectorChanges, now: string) =>
      queries.transaction(function* (): Steps<Update> {
        if (changes.name !== undefined) yield* oneAtATime(tenant)
        const found = yield* first(connectorOf(tenant, id).selectAll().forNoKeyUpdate())
        if (found === undefined) return { outcome: 'missing' }
        const before = storedOf(found)
        const { credentials } = changes
        const connector: StoredConnector = {
          ...before,
          name: changes.name ?? before.name,
          sync: changes.sync?.(before.sync) ?? before.sync,
          ...(credentials && { authMethod: credentials.authMethod, status: 'active' }),
          updatedAt: now,
        }
        const row = rowOf(tenant, connector)
        const taken = connector.name === before.name ? null : yield* nameTaken(row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        const grant = credentials?.grant
        if (grant !== undefined && !(yield* spendGrant(tenant, grant))) return { outcome: 'grant used' }
        yield* change(db.updateTable('connectors').set(row).where(ownedBy(tenant)).where('id', '=', id))
        const entry = { at: now, externalUserId: connector.externalUserId, connectorId: id }
        if (changes.name !== undefined || changes.sync !== undefined)
          yield* writeAudit(tenant, { event: 'connector.changed', ...entry })
        if (credentials !== undefined) {
          const { authMethod, sealed } = credentials
          const replaced = db.updateTable('connectorCredentials').where('connectorId', '=', id)
          yield* change(replaced.set((set) => ({ sealed, version: set('version', '+', 1), renewer: null })))
          const details = { auth_method: authMethod, consented: grant !== undefined }
          yield* writeAudit(tenant, { event: 'credentials.changed', ...entry, details })
        }
        const changed = (['name', 'credentials', 'sync'] as const).filter((part) => changes[part] !== undefined)
        const events: NewEvent[] = [{ type: 'connector.updated', at: now, details: { changed } }]
        if (before.status === 'reauthorization_required' && connector.status === 'active')
          events.push({ type: 'connector.recovered', at: now, details: {} })
        yield* writeEvents(tenant, subjectOf(connector), ...events)
        return { outcome: 'updated', connector, before }
      }),

    /** Removes the connector and everything that belongs to it; false if there is none. The note goes into the audit log. */
    delete: (tenant: Tenant, id: string, note: DeletionNote = { at: new Date().toISOString() }) =>
      queries.transaction(function* () {
        const query = db.deleteFrom('connectors').where(ownedBy(tenant)).where('id', '=', id)
        const gone = yield* first(query.returning(['id', 'externalUserId', 'connectorType']))
        if (gone === undefined) return false
        const { externalUserId } = gone
        yield* writeAudit(tenant, { event: 'connector.deleted', externalUserId, connectorId: id, ...note })
        yield* writeEvents(tenant, subjectOf(gone), { type: 'connector.deleted', at: note.at, details: {} })
        return true
      }),

    /** Removes all connectors, consents, grants and sign-ins of an end user; gives how many connectors there were. */
    async deleteEndUser(
      tenant: Tenant,
      externalUserId: string,
      { at, details }: DeletionNote = { at: new Date().toISOString() },
    ) {
      if (tenant.externalUserId !== null && tenant.externalUserId !== externalUserId) return 0
      return queries.transaction(function* () {
        yield* oneAtATime(tenant)
        const { organizationId } = tenant
        const gone = yield* all(
          db
            .deleteFrom('connectors')
            .where((where) => where.and({ organizationId, externalUserId }))
            .returning(['id', 'externalUserId', 'connectorType']),
        )
        gone.sort((one, other) => (one.id < other.id ? -1 : 1))
        for (const { id } of gone)
          yield* writeAudit(tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id })
        for (const table of ['consents', 'grants', 'signInCodes', 'agentGrants'] as const)
          yield* change(db.deleteFrom(table).where((where) => where.and({ organizationId, externalUserId })))
        const counted = { connectors: gone.length, ...details }
        yield* writeAudit(tenant, { event: 'end_user.deleted', at, externalUserId, details: counted })
        for (const connector of gone)
          yield* writeEvents(tenant, subjectOf(connector), { type: 'connector.deleted', at, details: {} })
        return gone.length
      })
    },
  }
}

/** What the events of a connector are about. */
export const subjectOf = ({
  id: connectorId,
  externalUserId,
  connectorType,
}: Pick<StoredConnector, 'id' | 'externalUserId' | 'connectorType'>) => ({ connectorId, externalUserId, connectorType })

/** Every row written is the tenant's own, whatever the connector says. */
function rowOf({ organizationId, externalUserId }: Tenant, stored: StoredConnector) {
  const { replicationConfig, sync, ...connector } = stored
  return {
    ...connector,
    organizationId,
    externalUserId: externalUserId ?? connector.externalUserId,
    replicationConfig: replicationConfig === null ? null : JSON.stringify(replicationConfig),
    syncEnabled: sync.enabled,
    syncIntervalSeconds: sync.intervalSeconds,
    syncStartDate: sync.startDate ?? null,
  }
}

export function storedOf(row: Row<'connectors'>): StoredConnector {
  const { replicationConfig, syncEnabled, syncIntervalSeconds, syncStartDate, ...connector } = row
  return {
    ...connector,
    replicationConfig: replicationConfig === null ? null : JSON.parse(replicationConfig),
    sync: {
      enabled: Boolean(syncEnabled),
      intervalSeconds: syncIntervalSeconds,
      ...(syncStartDate !== null && { startDate: syncStartDate }),
    },
  }
}

/** The id of the connector that has the name of this one, or null when the name is free. */
function* nameTaken(wanted: ReturnType<typeof rowOf>): Steps<string | null> {
  const { organizationId, externalUserId, connectorType, name } = wanted
  const query = db.selectFrom('connectors').select('id')
  const named = query.where((where) => where.and({ organizationId, externalUserId, connectorType, name }))
  return (yield* first(named))?.id ?? null
}

/** Names within an organization are given one after another, so that a free name stays free. */
function* oneAtATime({ organizationId }: Tenant): Steps<void> {
  yield* first(db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate())
}

/** An external user id is never empty, so that a caller for the whole organization can't be mistaken for an end user. */
const keyOf = ({ organizationId, externalUserId }: Tenant, { key }: IdempotencyKey) => ({
  organizationId,
  caller: externalUserId ?? '',
  key,
})

function* createdBefore(tenant: Tenant, key: IdempotencyKey): Steps<Creation | null> {
  const query = db.selectFrom('idempotencyKeys').select(['requestHash', 'result'])
  const before = yield* first(query.where((where) => where.and(keyOf(tenant, key))))
  if (before === undefined) return null
  return before.requestHash === key.requestHash
    ? { outcome: 'repeated', connector: JSON.parse(before.result) as StoredConnector }
    : { outcome: 'key taken' }
}
