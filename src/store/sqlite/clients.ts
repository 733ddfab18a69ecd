/** Organizations and clients in SQLite, as the operator sees them. */
import type { ClientStore } from '../clients.ts'
import { writeAudit } from './audit.ts'
import { db, type Queries } from './database.ts'

export function clientStore(queries: Queries): ClientStore {
  const organizationOf = (id: string): string | undefined =>
    queries.first(db.selectFrom('clients').select('organization_id').where('id', '=', id))?.organization_id

  return {
    async organizations() {
      const rows = queries.all(
        db
          .selectFrom('organizations')
          .select(['id', 'name', 'created_at'])
          .select((of) => [
            of
              .selectFrom('clients')
              .select((count) => count.fn.countAll<number>().as('count'))
              .whereRef('clients.organization_id', '=', 'organizations.id')
              .where('revoked_at', 'is', null)
              .as('clients'),
            of
              .selectFrom('connectors')
              .select((count) => count.fn.countAll<number>().as('count'))
              .whereRef('connectors.organization_id', '=', 'organizations.id')
              .as('connectors'),
          ])
          .orderBy('created_at')
          .orderBy('id'),
      )
      return rows.map(({ id, name, created_at, clients, connectors }) => ({
        id,
        name,
        createdAt: created_at,
        clients: clients ?? 0,
        connectors: connectors ?? 0,
      }))
    },

    async createOrganization({ id, name }, now) {
      queries.transaction(() => {
        queries.run(db.insertInto('organizations').values({ id, name, created_at: now, redirect_urls: null }))
        writeAudit(queries, operator(id), { event: 'organization.created', at: now })
      })
    },

    async clients(organizationId) {
      let query = db.selectFrom('clients').selectAll()
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId)
      return queries.all(query.orderBy('created_at').orderBy('id')).map((row) => ({
        id: row.id,
        organizationId: row.organization_id,
        name: row.name,
        createdAt: row.created_at,
        rotatedAt: row.rotated_at,
        revokedAt: row.revoked_at,
      }))
    },

    async createClient({ id, organizationId, name, secretHash }, now) {
      return queries.transaction(() => {
        const home = queries.first(db.selectFrom('organizations').select('id').where('id', '=', organizationId))
        if (home === undefined || organizationOf(id) !== undefined) return false
        queries.run(
          db.insertInto('clients').values({
            id,
            organization_id: organizationId,
            secret_hash: secretHash,
            created_at: now,
            name,
            rotated_at: null,
            revoked_at: null,
          }),
        )
        writeAudit(queries, operator(organizationId), { event: 'client.created', at: now, details: { client_id: id } })
        return true
      })
    },

    async rotateClient(id, secretHash, now) {
      return queries.transaction(() => {
        const changed = queries.run(
          db
            .updateTable('clients')
            .set({ secret_hash: secretHash, rotated_at: now })
            .where('id', '=', id)
            .where('revoked_at', 'is', null),
        )
        if (changed === 0) return false
        writeAudit(queries, operator(organizationOf(id)!), {
          event: 'client.rotated',
          at: now,
          details: { client_id: id },
        })
        return true
      })
    },

    async revokeClient(id, now) {
      return queries.transaction(() => {
        const organizationId = organizationOf(id)
        if (organizationId === undefined) return false
        const set = db.updateTable('clients').set({ revoked_at: now })
        if (queries.run(set.where('id', '=', id).where('revoked_at', 'is', null)) > 0)
          writeAudit(queries, operator(organizationId), {
            event: 'client.revoked',
            at: now,
            details: { client_id: id },
          })
        return true
      })
    },
  }
}

const operator = (organizationId: string) => ({ organizationId, externalUserId: null })
