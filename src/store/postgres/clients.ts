/** Organizations and clients in PostgreSQL, as the operator sees them. */

import type { Selectable } from 'kysely'
import type { ClientStore } from '../clients.ts'
import { writeAudit } from './audit.ts'
import { compiled, type Database, db, type Session } from './database.ts'
import type { Tables } from './tables.ts'

export function clientStore(database: Database): ClientStore {
  return {
    async organizations() {
      const rows = await database.all<{
        id: string
        name: string
        created_at: string
        clients: string
        connectors: string
      }>(
        ...compiled(
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

    async createOrganization({ id, name }, now) {
      await database.transaction(async (session) => {
        await session.run(
          ...compiled(db.insertInto('organizations').values({ id, name, created_at: now, redirect_urls: null })),
        )
        await writeAudit(session, operator(id), { event: 'organization.created', at: now })
      })
    },

    async clients(organizationId) {
      let query = db.selectFrom('clients').selectAll()
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId)
      const rows = await database.all<Selectable<Tables['clients']>>(
        ...compiled(query.orderBy('created_at').orderBy('id')),
      )
      return rows.map((row) => ({
        id: row.id,
        organizationId: row.organization_id,
        name: row.name,
        createdAt: row.created_at,
        rotatedAt: row.rotated_at,
        revokedAt: row.revoked_at,
      }))
    },

    async createClient({ id, organizationId, name, secretHash }, now) {
      return database.transaction(async (session) => {
        const home = db.selectFrom('organizations').select('id').where('id', '=', organizationId)
        if ((await session.first(...compiled(home))) === undefined) return false
        const made = await session.run(
          ...compiled(
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
          ),
        )
        if (made === 0) return false
        await writeAudit(session, operator(organizationId), {
          event: 'client.created',
          at: now,
          details: { client_id: id },
        })
        return true
      })
    },

    async rotateClient(id, secretHash, now) {
      return database.transaction(async (session) => {
        const changed = await session.run(
          ...compiled(
            db
              .updateTable('clients')
              .set({ secret_hash: secretHash, rotated_at: now })
              .where('id', '=', id)
              .where('revoked_at', 'is', null),
          ),
        )
        if (changed === 0) return false
        await writeAudit(session, operator((await organizationOf(session, id))!), {
          event: 'client.rotated',
          at: now,
          details: { client_id: id },
        })
        return true
      })
    },

    async revokeClient(id, now) {
      return database.transaction(async (session) => {
        const organizationId = await organizationOf(session, id)
        if (organizationId === undefined) return false
        const set = db.updateTable('clients').set({ revoked_at: now })
        if ((await session.run(...compiled(set.where('id', '=', id).where('revoked_at', 'is', null)))) > 0)
          await writeAudit(session, operator(organizationId), {
            event: 'client.revoked',
            at: now,
            details: { client_id: id },
          })
        return true
      })
    },
  }
}

async function organizationOf(session: Session, id: string): Promise<string | undefined> {
  const query = db.selectFrom('clients').select('organization_id').where('id', '=', id)
  return (await session.first<{ organization_id: string }>(...compiled(query)))?.organization_id
}

const operator = (organizationId: string) => ({ organizationId, externalUserId: null })
