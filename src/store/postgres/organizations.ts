/** Organizations and their clients in PostgreSQL. */
import type { Selectable } from 'kysely'
import type { OrganizationStore } from '../store.ts'
import { writeAudit } from './audit.ts'
import { compiled, type Database, db } from './database.ts'
import type { Tables } from './tables.ts'

export function organizationStore(database: Database): OrganizationStore {
  return {
    async first() {
      const row = await database.first<Selectable<Tables['organizations']>>(
        ...compiled(db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').limit(1)),
      )
      return row === undefined ? null : { id: row.id, name: row.name, createdAt: row.created_at }
    },

    async createFirst({ id, name, createdAt }, client) {
      return database.transaction(async (session) => {
        // Of several nodes that ask at once one is first.
        await session.run('lock table organizations in share row exclusive mode')
        if ((await session.first(...compiled(db.selectFrom('organizations').select('id').limit(1)))) !== undefined)
          return false
        await session.run(
          ...compiled(db.insertInto('organizations').values({ id, name, created_at: createdAt, redirect_urls: null })),
        )
        await session.run(
          ...compiled(
            db.insertInto('clients').values({
              id: client.id,
              organization_id: client.organizationId,
              secret_hash: client.secretHash,
              created_at: createdAt,
              name: 'first',
              rotated_at: null,
              revoked_at: null,
            }),
          ),
        )
        const operator = { organizationId: id, externalUserId: null }
        await writeAudit(session, operator, { event: 'organization.created', at: createdAt })
        const details = { client_id: client.id }
        await writeAudit(session, operator, { event: 'client.created', at: createdAt, details })
        return true
      })
    },

    async findClient(clientId) {
      const row = await database.first<Selectable<Tables['clients']>>(
        ...compiled(db.selectFrom('clients').selectAll().where('id', '=', clientId)),
      )
      if (row === undefined) return null
      const { id, organization_id: organizationId, secret_hash: secretHash, revoked_at: revokedAt } = row
      return { id, organizationId, secretHash, ...(revokedAt !== null && { revokedAt }) }
    },

    async redirectUrls({ organizationId }) {
      const row = await database.first<{ redirect_urls: string | null }>(
        ...compiled(db.selectFrom('organizations').select('redirect_urls').where('id', '=', organizationId)),
      )
      return row?.redirect_urls ? JSON.parse(row.redirect_urls) : null
    },

    async setRedirectUrls({ organizationId }, urls) {
      const redirect_urls = urls === null ? null : JSON.stringify(urls)
      const change = db.updateTable('organizations').set({ redirect_urls }).where('id', '=', organizationId)
      return (await database.run(...compiled(change))) > 0
    },

    async putClient(client, now) {
      const written = await database.run(
        ...compiled(
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
        ),
      )
      return written > 0
    },
  }
}
