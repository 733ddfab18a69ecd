/** Organizations and the programs that act for them: their clients. Every change writes an entry of the audit log with it. */
import { type AuditEvent, writeAudit } from './audit.ts'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'
import { db } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** Times are ISO 8601 in UTC. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** A program that may ask for tokens. Of its secret only the hash is kept. */
export interface Client {
  readonly id: string
  readonly organizationId: string
  readonly secretHash: string
  /** When it was revoked; left out of clients that were not. */
  readonly revokedAt?: string
}

export function organizationStore(queries: Queries) {
  return {
    /** The organization that was made first, or null in a new store. */
    async first(): Promise<Organization | null> {
      const query = db.selectFrom('organizations').select(['id', 'name', 'createdAt'])
      return (await queries.run(first(query.orderBy('createdAt').orderBy('id').limit(1)))) ?? null
    },

    /**
     * Makes the first organization with its first client, unless there is an organization already.
     * Of several nodes that start at once exactly one is told true.
     */
    createFirst: (organization: Organization, client: Client) =>
      queries.transaction(function* () {
        yield* queries.alone('organizations')
        if ((yield* first(db.selectFrom('organizations').select('id').limit(1))) !== undefined) return false
        const { id, name, createdAt } = organization
        yield* addOrganization(id, name, createdAt)
        const { secretHash } = client
        const values = { id: client.id, organizationId: client.organizationId, secretHash, createdAt, name: 'first' }
        yield* change(db.insertInto('clients').values(values))
        yield* noteClient('client.created', id, client.id, createdAt)
        return true
      }),

    create: ({ id, name }: Pick<Organization, 'id' | 'name'>, now: string) =>
      queries.transaction(() => addOrganization(id, name, now)),

    /** All organizations by age, each with how many of its clients may still ask for tokens, and how many connectors it has. */
    async list() {
      const query = db.selectFrom('organizations').select(['id', 'name', 'createdAt'])
      const rows = await queries.run(
        all(
          query
            .select((of) => [
              of
                .selectFrom('clients')
                .select(of.fn.countAll().as('count'))
                .whereRef('clients.organizationId', '=', 'organizations.id')
                .where('revokedAt', 'is', null)
                .as('clients'),
              of
                .selectFrom('connectors')
                .select(of.fn.countAll().as('count'))
                .whereRef('connectors.organizationId', '=', 'organizations.id')
                .as('connectors'),
            ])
            .orderBy('createdAt')
            .orderBy('id'),
        ),
      )
      return rows.map((row) => ({ ...row, clients: Number(row.clients), connectors: Number(row.connectors) }))
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
        const { id, organizationId, name, secretHash } = client
        const home = db.selectFrom('organizations').select('id').where('id', '=', organizationId)
        if ((yield* first(home)) === undefined) return false
        const added = db.insertInto('clients').values({ id, organizationId, name, secretHash, createdAt: now })
        if ((yield* change(added.onConflict((conflict) => conflict.column('id').doNothing()))) === 0) return false
        yield* noteClient('client.created', organizationId, id, now)
        return true
      }),

    /** Replaces the secret; false when there is no such client, or it was revoked. */
    rotateClient: (id: string, secretHash: string, now: string) =>
      queries.transaction(function* () {
        const query = db.updateTable('clients').set({ secretHash, rotatedAt: now }).where('id', '=', id)
        const changed = yield* first(query.where('revokedAt', 'is', null).returning('organizationId'))
        if (changed === undefined) return false
        yield* noteClient('client.rotated', changed.organizationId, id, now)
        return true
      }),

    /** From now on the client gets no token; false when there is no such client. */
    revokeClient: (id: string, now: string) =>
      queries.transaction(function* () {
        const query = db.updateTable('clients').set({ revokedAt: now }).where('id', '=', id)
        const changed = yield* first(query.where('revokedAt', 'is', null).returning('organizationId'))
        if (changed !== undefined) yield* noteClient('client.revoked', changed.organizationId, id, now)
        return (
          changed !== undefined ||
          (yield* first(db.selectFrom('clients').select('id').where('id', '=', id))) !== undefined
        )
      }),
  }
}

function* addOrganization(id: string, name: string, now: string): Steps<void> {
  yield* change(db.insertInto('organizations').values({ id, name, createdAt: now }))
  yield* writeAudit({ organizationId: id, externalUserId: null }, { event: 'organization.created', at: now })
}

function* noteClient(event: AuditEvent, organizationId: string, clientId: string, at: string): Steps<void> {
  yield* writeAudit({ organizationId, externalUserId: null }, { event, at, details: { client_id: clientId } })
}
