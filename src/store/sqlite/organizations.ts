/** Organizations and their clients in SQLite. */
import type { OrganizationStore } from '../store.ts'
import { writeAudit } from './audit.ts'
import { db, type Queries } from './database.ts'

export function organizationStore(queries: Queries): OrganizationStore {
  return {
    async first() {
      const row = queries.first(db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').limit(1))
      return row === undefined ? null : { id: row.id, name: row.name, createdAt: row.created_at }
    },

    async createFirst({ id, name, createdAt }, client) {
      return queries.transaction(() => {
        if (queries.first(db.selectFrom('organizations').select('id').limit(1)) !== undefined) return false
        queries.run(db.insertInto('organizations').values({ id, name, created_at: createdAt, redirect_urls: null }))
        queries.run(
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
        writeAudit(queries, operator, { event: 'organization.created', at: createdAt })
        writeAudit(queries, operator, { event: 'client.created', at: createdAt, details: { client_id: client.id } })
        return true
      })
    },

    async findClient(clientId) {
      const row = queries.first(db.selectFrom('clients').selectAll().where('id', '=', clientId))
      if (row === undefined) return null
      const { id, organization_id: organizationId, secret_hash: secretHash, revoked_at: revokedAt } = row
      return { id, organizationId, secretHash, ...(revokedAt !== null && { revokedAt }) }
    },

    async redirectUrls({ organizationId }) {
      const row = queries.first(db.selectFrom('organizations').select('redirect_urls').where('id', '=', organizationId))
      return row?.redirect_urls ? JSON.parse(row.redirect_urls) : null
    },

    async setRedirectUrls({ organizationId }, urls) {
      const redirect_urls = urls === null ? null : JSON.stringify(urls)
      return queries.run(db.updateTable('organizations').set({ redirect_urls }).where('id', '=', organizationId)) > 0
    },

    async putClient(client, now) {
      const written = queries.run(
        db
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
          ),
      )
      return written > 0
    },
  }
}
