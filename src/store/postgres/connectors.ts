/** Connectors and their sealed credentials in PostgreSQL. */
import type { Selectable } from 'kysely'
import type { ConnectorStatus, ConnectorStore, Creation, IdempotencyKey, StoredConnector, Tenant } from '../store.ts'
import { writeAudit } from './audit.ts'
import { spendGrant } from './consents.ts'
import { compiled, type Database, db, type Session } from './database.ts'
import { ownedBy } from './owned-by.ts'
import type { Tables } from './tables.ts'

export function connectorStore(database: Database): ConnectorStore {
  return {
    async create(tenant, connector, sealed, key, grant) {
      return database.transaction(async (session) => {
        await oneAtATime(session, tenant)
        const before = key === undefined ? null : await createdBefore(session, tenant, key)
        if (before !== null) return before
        const row = rowOf(tenant, connector)
        const taken = await nameTaken(session, row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        if (grant !== undefined && !(await spendGrant(session, tenant, grant))) return { outcome: 'grant used' }
        await session.run(...compiled(db.insertInto('connectors').values(row)))
        const credentials = {
          connector_id: connector.id,
          organization_id: tenant.organizationId,
          sealed,
          version: 1,
          renewer: null,
          renewer_until: null,
        }
        await session.run(...compiled(db.insertInto('connector_credentials').values(credentials)))
        if (key !== undefined)
          await session.run(
            ...compiled(
              db.insertInto('idempotency_keys').values({
                organization_id: tenant.organizationId,
                caller: callerOf(tenant),
                key: key.key,
                request_hash: key.requestHash,
                connector_id: connector.id,
                result: JSON.stringify(connectorOf(row)),
              }),
            ),
          )
        await writeAudit(session, tenant, {
          event: 'connector.created',
          at: connector.createdAt,
          externalUserId: row.external_user_id,
          connectorId: connector.id,
          details: {
            connector_type: connector.connectorType,
            auth_method: connector.authMethod,
            consented: grant !== undefined,
          },
        })
        return { outcome: 'created', connector: connectorOf(row) }
      })
    },

    async createdBefore(tenant, key) {
      return createdBefore(database, tenant, key)
    },

    async find(tenant, id) {
      const row = await findRow(database, tenant, id)
      return row === undefined ? null : connectorOf(row)
    },

    async findWithCredentials(tenant, id) {
      const row = await database.first<ConnectorRow & { sealed: string; version: number }>(
        ...compiled(
          db
            .selectFrom('connectors')
            .innerJoin('connector_credentials', 'connector_credentials.connector_id', 'connectors.id')
            .selectAll('connectors')
            .select(['connector_credentials.sealed', 'connector_credentials.version'])
            .where(ownedBy(tenant))
            .where('connectors.id', '=', id),
        ),
      )
      if (row === undefined) return null
      return { connector: connectorOf(row), credentials: { sealed: row.sealed, version: row.version } }
    },

    async list(tenant, filter, limit, after) {
      let query = db.selectFrom('connectors').selectAll().where(ownedBy(tenant))
      if (filter.externalUserId !== undefined) query = query.where('external_user_id', '=', filter.externalUserId)
      if (filter.connectorType !== undefined) query = query.where('connector_type', '=', filter.connectorType)
      if (after !== null) query = query.where('id', '>', after)
      // One more than asked tells whether there is a next page.
      const rows = await database.all<ConnectorRow>(...compiled(query.orderBy('id').limit(limit + 1)))
      const page = rows.slice(0, limit).map(connectorOf)
      return { connectors: page, next: rows.length > limit ? page.at(-1)!.id : null }
    },

    async update(tenant, id, changes, now) {
      return database.transaction(async (session) => {
        if (changes.name !== undefined) await oneAtATime(session, tenant)
        const found = await findRow(session, tenant, id, 'to change')
        if (found === undefined) return { outcome: 'missing' }
        const before = connectorOf(found)
        const connector: StoredConnector = {
          ...before,
          name: changes.name ?? before.name,
          sync: changes.sync ?? before.sync,
          ...(changes.credentials && { authMethod: changes.credentials.authMethod, status: 'active' }),
          updatedAt: now,
        }
        const row = rowOf(tenant, connector)
        const taken = connector.name === before.name ? null : await nameTaken(session, row)
        if (taken !== null) return { outcome: 'name taken', existingId: taken }
        const grant = changes.credentials?.grant
        if (grant !== undefined && !(await spendGrant(session, tenant, grant))) return { outcome: 'grant used' }
        await session.run(
          ...compiled(db.updateTable('connectors').set(row).where(ownedBy(tenant)).where('id', '=', id)),
        )
        if (changes.credentials !== undefined) {
          const { sealed } = changes.credentials
          await session.run(
            ...compiled(
              db
                .updateTable('connector_credentials')
                .set((set) => ({ sealed, version: set('version', '+', 1), renewer: null }))
                .where('organization_id', '=', tenant.organizationId)
                .where('connector_id', '=', id),
            ),
          )
        }
        const { externalUserId } = connector
        if (changes.name !== undefined || changes.sync !== undefined)
          await writeAudit(session, tenant, { event: 'connector.changed', at: now, externalUserId, connectorId: id })
        if (changes.credentials !== undefined)
          await writeAudit(session, tenant, {
            event: 'credentials.changed',
            at: now,
            externalUserId,
            connectorId: id,
            details: { auth_method: connector.authMethod, consented: grant !== undefined },
          })
        return { outcome: 'updated', connector }
      })
    },

    async takeRenewal(tenant, id, version, renewer, now, until) {
      const changed = await database.run(
        ...compiled(
          db
            .updateTable('connector_credentials')
            .set({ renewer, renewer_until: until })
            .where('version', '=', version)
            .where((where) =>
              where.or([
                where('renewer', 'is', null),
                where('renewer', '=', renewer),
                where('renewer_until', '<=', now),
              ]),
            )
            .where('connector_id', 'in', (owned) =>
              owned.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', id),
            ),
        ),
      )
      return changed > 0
    },

    async endRenewal(tenant, id, renewer) {
      await database.run(
        ...compiled(
          db
            .updateTable('connector_credentials')
            .set({ renewer: null })
            .where('organization_id', '=', tenant.organizationId)
            .where('connector_id', '=', id)
            .where('renewer', '=', renewer),
        ),
      )
    },

    async replaceCredentials(tenant, id, version, sealed, now = new Date().toISOString()) {
      return database.transaction(async (session) => {
        // The connector first, as in every transaction over both, so that none waits for the other.
        const found = await findRow(session, tenant, id, 'to change')
        if (found === undefined) return false
        const changed = await session.run(
          ...compiled(
            db
              .updateTable('connector_credentials')
              .set({ sealed, version: version + 1, renewer: null })
              .where('version', '=', version)
              .where('connector_id', '=', id),
          ),
        )
        if (changed === 0) return false
        await session.run(
          ...compiled(
            db
              .updateTable('connectors')
              .set({ status: 'active', updated_at: now })
              .where(ownedBy(tenant))
              .where('id', '=', id)
              .where('status', '=', 'reauthorization_required'),
          ),
        )
        const { external_user_id: externalUserId } = found
        await writeAudit(session, tenant, { event: 'credentials.refreshed', at: now, externalUserId, connectorId: id })
        return true
      })
    },

    async setStatus(tenant, id, version, status, now) {
      return database.transaction(async (session) => {
        // Locked, so that newer credentials cannot come between the look and the mark.
        const current = await session.first<{ external_user_id: string }>(
          ...compiled(
            db
              .selectFrom('connectors')
              .innerJoin('connector_credentials', 'connector_credentials.connector_id', 'connectors.id')
              .select('connectors.external_user_id')
              .where(ownedBy(tenant))
              .where('connectors.id', '=', id)
              .where('connector_credentials.version', '=', version)
              .forNoKeyUpdate(),
          ),
        )
        if (current === undefined) return false
        const change = db.updateTable('connectors').set({ status, updated_at: now }).where(ownedBy(tenant))
        const changed = await session.run(...compiled(change.where('id', '=', id).where('status', '!=', status)))
        if (changed === 0) return false
        if (status === 'reauthorization_required') {
          const { external_user_id: externalUserId } = current
          await writeAudit(session, tenant, { event: 'credentials.refused', at: now, externalUserId, connectorId: id })
        }
        return true
      })
    },

    async delete(tenant, id, { at, details = {} } = { at: new Date().toISOString() }) {
      return database.transaction(async (session) => {
        const gone = await session.first<{ external_user_id: string }>(
          ...compiled(
            db.deleteFrom('connectors').where(ownedBy(tenant)).where('id', '=', id).returning('external_user_id'),
          ),
        )
        if (gone === undefined) return false
        const { external_user_id: externalUserId } = gone
        await writeAudit(session, tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id, details })
        return true
      })
    },

    async deleteEndUser(tenant, externalUserId, { at, details = {} } = { at: new Date().toISOString() }) {
      const { organizationId } = tenant
      if (tenant.externalUserId !== null && tenant.externalUserId !== externalUserId) return 0
      return database.transaction(async (session) => {
        await oneAtATime(session, tenant)
        const gone = await session.all<{ id: string }>(
          ...compiled(
            db
              .deleteFrom('connectors')
              .where('organization_id', '=', organizationId)
              .where('external_user_id', '=', externalUserId)
              .returning('id'),
          ),
        )
        for (const { id } of gone.sort((one, other) => (one.id < other.id ? -1 : 1)))
          await writeAudit(session, tenant, { event: 'connector.deleted', at, externalUserId, connectorId: id })
        for (const table of ['consents', 'grants'] as const)
          await session.run(
            ...compiled(
              db
                .deleteFrom(table)
                .where('organization_id', '=', organizationId)
                .where('external_user_id', '=', externalUserId),
            ),
          )
        await writeAudit(session, tenant, {
          event: 'end_user.deleted',
          at,
          externalUserId,
          details: { connectors: gone.length, ...details },
        })
        return gone.length
      })
    },
  }
}

type ConnectorRow = Selectable<Tables['connectors']>

function findRow(
  session: Session,
  tenant: Tenant,
  id: string,
  purpose?: 'to change',
): Promise<ConnectorRow | undefined> {
  const query = db.selectFrom('connectors').selectAll().where(ownedBy(tenant)).where('id', '=', id)
  return session.first<ConnectorRow>(...compiled(purpose === undefined ? query : query.forNoKeyUpdate()))
}

/** Whoever gives names within an organization does so after the others, so that a name that is free stays free. */
async function oneAtATime(session: Session, { organizationId }: Tenant): Promise<void> {
  const query = db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate()
  await session.run(...compiled(query))
}

// An external user id is never empty, so that this caller can't be mistaken for an end user.
const organizationWide = ''

const callerOf = ({ externalUserId }: Tenant): string => externalUserId ?? organizationWide

/** What became of the creation that this key was used for, or null when the key is new. */
async function createdBefore(
  session: Session,
  tenant: Tenant,
  { key, requestHash }: IdempotencyKey,
): Promise<Creation | null> {
  const before = await session.first<{ request_hash: string; result: string }>(
    ...compiled(
      db
        .selectFrom('idempotency_keys')
        .select(['request_hash', 'result'])
        .where('organization_id', '=', tenant.organizationId)
        .where('caller', '=', callerOf(tenant))
        .where('key', '=', key),
    ),
  )
  if (before === undefined) return null
  return before.request_hash === requestHash
    ? { outcome: 'repeated', connector: JSON.parse(before.result) as StoredConnector }
    : { outcome: 'key taken' }
}

/** The id of the connector that has the name of this one, or null when the name is free. */
async function nameTaken(session: Session, wanted: Selectable<Tables['connectors']>): Promise<string | null> {
  const row = await session.first<{ id: string }>(
    ...compiled(
      db
        .selectFrom('connectors')
        .select('id')
        .where('organization_id', '=', wanted.organization_id)
        .where('external_user_id', '=', wanted.external_user_id)
        .where('connector_type', '=', wanted.connector_type)
        .where('name', '=', wanted.name),
    ),
  )
  return row?.id ?? null
}

/** What is written is always the tenant's own, whatever the connector says. */
function rowOf(tenant: Tenant, connector: StoredConnector): Selectable<Tables['connectors']> {
  return {
    id: connector.id,
    organization_id: tenant.organizationId,
    external_user_id: tenant.externalUserId ?? connector.externalUserId,
    connector_type: connector.connectorType,
    name: connector.name,
    auth_method: connector.authMethod,
    status: connector.status,
    replication_config: connector.replicationConfig === null ? null : JSON.stringify(connector.replicationConfig),
    sync_enabled: connector.sync.enabled,
    sync_interval_seconds: connector.sync.intervalSeconds,
    sync_start_date: connector.sync.startDate ?? null,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
  }
}

function connectorOf(row: Selectable<Tables['connectors']>): StoredConnector {
  return {
    id: row.id,
    organizationId: row.organization_id,
    externalUserId: row.external_user_id,
    connectorType: row.connector_type,
    name: row.name,
    authMethod: row.auth_method,
    status: row.status as ConnectorStatus,
    replicationConfig: row.replication_config === null ? null : JSON.parse(row.replication_config),
    sync: {
      enabled: row.sync_enabled,
      intervalSeconds: row.sync_interval_seconds,
      ...(row.sync_start_date !== null && { startDate: row.sync_start_date }),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
