/** Organizations and the programs that act for them: their clients. Every change writes an entry of the audit log with it. */
import { sql, type Updateable } from 'kysely'
import { type AuditEvent, writeAudit } from './audit.ts'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'
import { db, type Row, type Tables } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** Times are ISO 8601 in UTC. */
export type Organization = Readonly<Pick<Row<'organizations'>, 'id' | 'name' | 'createdAt'>>

/** A program that may ask for tokens. Of its secret only the hash is kept. */
export interface Client extends Readonly<Pick<Row<'clients'>, 'id' | 'organizationId' | 'secretHash'>> {
  /** When it was revoked; left out of clients that were not. */
  readonly revokedAt?: string
}

export function organizationStore(queries: Queries) {
  return {
    /**
     * Makes the first organization with its first client, unless there is an organization already.
     * Of several nodes that start at once exactly one is told true.
     */
    createFirst: ({ createdAt, ...organization }: Organization, client: Client) =>
      queries.transaction(function* () {
        yield* queries.alone('organizations')
        if ((yield* first(db.selectFrom('organizations').select('id').limit(1))) !== undefined) return false
        yield* addOrganization(organization, createdAt)
        return yield* addClient({ ...client, name: 'first' }, createdAt)
      }),

    create: (organization: Pick<Organization, 'id' | 'name'>, now: string) =>
      queries.transaction(() => addOrganization(organization, now)),

    /** All organizations by age, each with how many of its clients may still ask for tokens, and how many connectors it has. */
    async list() {
      const count = (of: 'clients' | 'connectors', condition: string) =>
        sql<number>`(select cast(count(*) as integer) from ${sql.table(of)}
          where organization_id = organizations.id and ${sql.raw(condition)})`.as(of)
      const counts = [count('clients', 'revoked_at is null'), count('connectors', 'true')]
      const query = db.selectFrom('organizations').select(['id', 'name', 'createdAt']).select(counts)
      return queries.run(all(query.orderBy('createdAt').orderBy('id')))
    },

    async exists(id: string) {
      return (await queries.run(first(db.selectFrom('organizations').select('id').where('id', '=', id)))) !== undefined
    },

    /** Where browsers may be sent after a consent; null when the organization lists nothing, which allows any safe address. */
    async redirectUrls({ organizationId }: Tenant): Promise<readonly string[] | null> {
      const query = db.selectFrom('organizations').select('redirectUrls').where('id', '=', organizationId)
      const listed = (await queries.run(first(query)))?.redirectUrls
      return listed ? JSON.parse(listed) : null
    },

    /** Sets that list; false when there is no such organization. */
    async setRedirectUrls({ organizationId }: Tenant, urls: readonly string[] | null) {
      const redirectUrls = urls === null ? null : JSON.stringify(urls)
      const query = db.updateTable('organizations').set({ redirectUrls }).where('id', '=', organizationId)
      return (await queries.run(change(query))) > 0
    },

    /** The client of this id, or null. Before a token exists there is no tenant to ask for. */
    async findClient(clientId: string): Promise<Client | null> {
      const query = db.selectFrom('clients').select(['id', 'organizationId', 'secretHash', 'revokedAt'])
      const row = await queries.run(first(query.where('id', '=', clientId)))
      if (row === undefined) return null
      const { revokedAt, ...client } = row
      return { ...client, ...(revokedAt !== null && { revokedAt }) }
    },

    /** Clients by age; of one organization, or of all. */
    clients(organizationId: string | null) {
      const query = db
        .selectFrom('clients')
        .select(['id', 'organizationId', 'name', 'createdAt', 'rotatedAt', 'revokedAt'])
      const asked = organizationId === null ? query : query.where('organizationId', '=', organizationId)
      return queries.run(all(asked.orderBy('createdAt').orderBy('id')))
    },

    /** Adds the client, or replaces its secret. False when the id belongs to another organization. */
    async putClient({ id, organizationId, secretHash }: Client, now: string) {
      const added = db.insertInto('clients').values({ id, organizationId, secretHash, createdAt: now })
      const query = added.onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ secretHash }).where('clients.organizationId', '=', organizationId),
      )
      return (await queries.run(change(query))) > 0
    },

    /** False when there is no such organization, or the id is taken. */
    createClient: (client: Client & { readonly name: string }, now: string) =>
      queries.transaction(function* () {
        const home = db.selectFrom('organizations').select('id').where('id', '=', client.organizationId)
        return (yield* first(home)) !== undefined && (yield* addClient(client, now))
      }),

    /** Replaces the secret; false when there is no such client, or it was revoked. */
    rotateClient: (id: string, secretHash: string, now: string) =>
      queries.transaction(() => changeClient(id, { secretHash, rotatedAt: now }, 'client.rotated', now)),

    /** From now on the client gets no token; false when there is no such client. */
    revokeClient: (id: string, now: string) =>
      queries.transaction(function* () {
        const known = yield* first(db.selectFrom('clients').select('id').where('id', '=', id))
        yield* changeClient(id, { revokedAt: now }, 'client.revoked', now)
        return known !== undefined
      }),
  }
}

function* addOrganization(organization: Pick<Organization, 'id' | 'name'>, now: string): Steps<void> {
  const { id, name } = organization
  yield* change(db.insertInto('organizations').values({ id, name, createdAt: now }))
  yield* writeAudit({ organizationId: id, externalUserId: null }, { event: 'organization.created', at: now })
}

/** False when the id is taken. */
function* addClient(client: Client & { readonly name: string }, now: string): Steps<boolean> {
  const { id, organizationId, name, secretHash } = client
  const added = db.insertInto('clients').values({ id, organizationId, name, secretHash, createdAt: now })
  if ((yield* change(added.onConflict((conflict) => conflict.column('id').doNothing()))) === 0) return false
  yield* noteClient('client.created', organizationId, id, now)
  return true
}

/** Changes a client that was not revoked; false when there is none. */
function* changeClient(id: string, set: Updateable<Tables['clients']>, event: AuditEvent, now: string): Steps<boolean> {
  const query = db.updateTable('clients').set(set).where('id', '=', id).where('revokedAt', 'is', null)
  const changed = yield* first(query.returning('organizationId'))
  if (changed === undefined) return false
  yield* noteClient(event, changed.organizationId, id, now)
  return true
}

function* noteClient(event: AuditEvent, organizationId: string, clientId: string, at: string): Steps<void> {
  yield* writeAudit({ organizationId, externalUserId: null }, { event, at, details: { client_id: clientId } })
}
