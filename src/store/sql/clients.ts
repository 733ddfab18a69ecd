/** Organizations and clients, as the operator sees them. */
import type { ClientStore } from '../clients.ts'
import { writeAudit } from './audit.ts'
import { all, change, first, type Queries, type Steps } from './steps.ts'
import { db } from './tables.ts'

export function clientStore(queries: Queries): ClientStore {
  return {
    async organizations() {
      const rows = await queries.run(
        all(
          db
            .selectFrom('organizations')
            .select(['id', 'name', 'created_at'])
            .select((of) => [
              of
                .selectFrom('clients')
                .select((count) => count.fn.countAll().as('count'))
                .whereRef('clients.organization_id', '=', 'organizations.id')
                .where('revoked_at', 'is', null)
                .as('clients'),
              of
                .selectFrom('connectors')
                .select((count) => count.fn.countAll().as('count'))
                .whereRef('connectors.organization_id', '=', 'organizations.id')
                .as('connectors'),
            ])
            .orderBy('created_at')
            .orderBy('id'),
        ),
      )
      return rows.map(({ id, name, created_at, clients, connectors }) => ({
        id,
        name,
        createdAt: created_at,
        clients: Number(clients),
        connectors: Number(connectors),
      }))
    },

    createOrganization: ({ id, name }, now) =>
      queries.transaction(function* () {
        yield* change(db.insertInto('organizations').values({ id, name, created_at: now, redirect_urls: null }))
        yield* writeAudit(operator(id), { event: 'organization.created', at: now })
      }),

    async clients(organizationId) {
      let query = db.selectFrom('clients').selectAll()
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId)
      const rows = await queries.run(all(query.orderBy('created_at').orderBy('id')))
      return rows.map((row) => ({
        id: row.id,
        organizationId: row.organization_id,
        name: row.name,
        createdAt: row.created_at,
        rotatedAt: row.rotated_at,
        revokedAt: row.revoked_at,
      }))
    },

    createClient: ({ id, organizationId, name, secretHash }, now) =>
      queries.transaction(function* () {
        const home = db.selectFrom('organizations').select('id').where('id', '=', organizationId)
        if ((yield* first(home)) === undefined) return false
        const made = yield* change(
          db
            .insertInto('clients')
            .values({
              id,
              organization_id: organizationId,
              secret_hash: secretHash,
              created_at: now,
              name,
              rotated_at: null,
              revoked_at: null,
            })
            .onConflict((conflict) => conflict.column('id').doNothing()),
        )
        if (made === 0) return false
        const details = { client_id: id }
        yield* writeAudit(operator(organizationId), { event: 'client.created', at: now, details })
        return true
      }),

    rotateClient: (id, secretHash, now) =>
      queries.transaction(function* () {
        const changed = yield* change(
          db
            .updateTable('clients')
            .set({ secret_hash: secretHash, rotated_at: now })
            .where('id', '=', id)
            .where('revoked_at', 'is', null),
        )
        if (changed === 0) return false
        const organizationId = (yield* organizationOf(id))!
        yield* writeAudit(operator(organizationId), { event: 'client.rotated', at: now, details: { client_id: id } })
        return true
      }),

    revokeClient: (id, now) =>
      queries.transaction(function* () {
        const organizationId = yield* organizationOf(id)
        if (organizationId === undefined) return false
        const set = db.updateTable('clients').set({ revoked_at: now })
        if ((yield* change(set.where('id', '=', id).where('revoked_at', 'is', null))) > 0)
          yield* writeAudit(operator(organizationId), { event: 'client.revoked', at: now, details: { client_id: id } })
        return true
      }),
  }
}

function* organizationOf(id: string): Steps<string | undefined> {
  return (yield* first(db.selectFrom('clients').select('organization_id').where('id', '=', id)))?.organization_id
}

const operator = (organizationId: string) => ({ organizationId, externalUserId: null })
