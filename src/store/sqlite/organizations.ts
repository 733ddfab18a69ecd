/** Organizations and their clients in SQLite. */
import type { Kysely } from 'kysely'
import type { OrganizationStore } from '../store.ts'
import { immediately } from './immediately.ts'
import type { Tables } from './tables.ts'

export function organizationStore(db: Kysely<Tables>): OrganizationStore {
  return {
    async first() {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : { id: row.id, name: row.name, createdAt: row.created_at }
    },

    createFirst(organization, client) {
      return immediately(db, async (db) => {
        const any = await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
        if (any !== undefined) return false
        await db
          .insertInto('organizations')
          .values({ id: organization.id, name: organization.name, created_at: organization.createdAt })
          .execute()
        await db
          .insertInto('clients')
          .values({
            id: client.id,
            organization_id: client.organizationId,
            secret_hash: client.secretHash,
            created_at: organization.createdAt,
          })
          .execute()
        return true
      })
    },

    async findClient(clientId) {
      const row = await db.selectFrom('clients').selectAll().where('id', '=', clientId).executeTakeFirst()
      return row === undefined ? null : { id: row.id, organizationId: row.organization_id, secretHash: row.secret_hash }
    },

    async putClient(client, now) {
      const written = await db
        .insertInto('clients')
        .values({
          id: client.id,
          organization_id: client.organizationId,
          secret_hash: client.secretHash,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ secret_hash: client.secretHash })
            .where('clients.organization_id', '=', client.organizationId),
        )
        .returning('id')
        .executeTakeFirst()
      return written !== undefined
    },
  }
}
