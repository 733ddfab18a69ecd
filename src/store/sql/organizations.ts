/** Organizations and their clients. */
import type { OrganizationStore } from '../organizations.ts'
import { writeAudit } from './audit.ts'
import { change, first, type Queries } from './steps.ts'
import { db } from './tables.ts'

export function organizationStore(queries: Queries): OrganizationStore {
  return {
    async first() {
      const query = db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').limit(1)
      const row = await queries.run(first(query))
      return row === undefined ? null : { id: row.id, name: row.name, createdAt: row.created_at }
    },

    createFirst: ({ id, name, createdAt }, client) =>
      queries.transaction(function* () {
        // Of several nodes that ask at once one is first.
        yield* queries.alone('organizations')
        if ((yield* first(db.selectFrom('organizations').select('id').limit(1))) !== undefined) return false
        yield* change(db.insertInto('organizations').values({ id, name, created_at: createdAt, redirect_urls: null }))
        yield* change(
          db.insertInto('clients').values({
            id: client.id,
            organization_id: client.organizationId,
            secret_hash: client.secretHash,
            created_at: createdAt,
            name: 'first',
            rotated_at: null,
            revoked_at: null,
          }),
        )
        const operator = { organizationId: id, externalUserId: null }
        yield* writeAudit(operator, { event: 'organization.created', at: createdAt })
        yield* writeAudit(operator, { event: 'client.created', at: createdAt, details: { client_id: client.id } })
        return true
      }),

    async findClient(clientId) {
      const row = await queries.run(first(db.selectFrom('clients').selectAll().where('id', '=', clientId)))
      if (row === undefined) return null
      const { id, organization_id: organizationId, secret_hash: secretHash, revoked_at: revokedAt } = row
      return { id, organizationId, secretHash, ...(revokedAt !== null && { revokedAt }) }
    },

    async redirectUrls({ organizationId }) {
      const query = db.selectFrom('organizations').select('redirect_urls').where('id', '=', organizationId)
      const row = await queries.run(first(query))
      return row?.redirect_urls ? JSON.parse(row.redirect_urls) : null
    },

    async setRedirectUrls({ organizationId }, urls) {
      const redirect_urls = urls === null ? null : JSON.stringify(urls)
      const query = db.updateTable('organizations').set({ redirect_urls }).where('id', '=', organizationId)
      return (await queries.run(change(query))) > 0
    },

    async putClient(client, now) {
      const query = db
        .insertInto('clients')
        .values({
          id: client.id,
          organization_id: client.organizationId,
          secret_hash: client.secretHash,
          created_at: now,
          name: '',
          rotated_at: null,
          revoked_at: null,
        })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ secret_hash: client.secretHash })
            .where('clients.organization_id', '=', client.organizationId),
        )
      return (await queries.run(change(query))) > 0
    },
  }
}
