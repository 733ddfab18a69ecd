/**
 * The sessions of the page on which end users connect systems. They end by themselves, and are removed in passing a day
 * later, so that a late visitor can be told. Times are ISO 8601 in UTC.
 */
import { writeAudit } from './audit.ts'
import { change, first, type Queries } from './sql/steps.ts'
import { db, type Row } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** A session: found by the hash of the token that opens its page, and then by the hash of the key that the page holds. */
export type ConnectSession = Readonly<Row<'connectSessions'>>

export type NewConnectSession = Pick<
  ConnectSession,
  'tokenHash' | 'externalUserId' | 'origin' | 'settings' | 'expiresAt'
>

/** What an opened page begins with. */
export type OpenedSession = Pick<ConnectSession, 'settings' | 'expiresAt'> & { readonly keyHash: string }

/** What changes while the page is open. */
export type SessionChange = Partial<Pick<ConnectSession, 'keyHash' | 'ticketHash' | 'outcome'>>

const day = 24 * 60 * 60_000

export function connectSessionStore(queries: Queries) {
  const find = async (of: Partial<Pick<ConnectSession, 'tokenHash' | 'keyHash' | 'ticketHash'>>) =>
    (await queries.run(
      first(
        db
          .selectFrom('connectSessions')
          .selectAll()
          .where((where) => where.and(of as { tokenHash: string })),
      ),
    )) ?? null

  return {
    async add(tenant: Tenant, session: NewConnectSession, now: string) {
      const removed = new Date(Date.parse(now) - day).toISOString()
      await queries.run(change(db.deleteFrom('connectSessions').where('expiresAt', '<=', removed)))
      const { organizationId, clientId: createdBy = null } = tenant
      await queries.transaction(function* () {
        yield* change(db.insertInto('connectSessions').values({ ...session, organizationId, createdBy }))
        const { externalUserId } = session
        const details = { origin: session.origin }
        yield* writeAudit(tenant, { event: 'connect_session.created', at: now, externalUserId, details })
      })
    },

    /** The session of a token, opened or ended or not. Whose it is, is not known before it is found. */
    findByToken: (tokenHash: string): Promise<ConnectSession | null> => find({ tokenHash }),

    /** The session of an opened page, ended or not. */
    findByKey: (keyHash: string): Promise<ConnectSession | null> => find({ keyHash }),

    /** Opens a session; false if another visitor was first. */
    open: (
      { tokenHash, organizationId, externalUserId, createdBy, origin }: ConnectSession,
      opened: OpenedSession,
      now: string,
    ) =>
      queries.transaction(function* () {
        const query = db.updateTable('connectSessions').set(opened).where('tokenHash', '=', tokenHash)
        if ((yield* change(query.where('keyHash', 'is', null))) === 0) return false
        const tenant = { organizationId, externalUserId, ...(createdBy !== null && { clientId: createdBy }) }
        yield* writeAudit(tenant, { event: 'connect_session.opened', at: now, details: { origin } })
        return true
      }),

    /** Changes an opened session. */
    async change({ tokenHash }: ConnectSession, changes: SessionChange) {
      await queries.run(change(db.updateTable('connectSessions').set(changes).where('tokenHash', '=', tokenHash)))
    },

    /** The session to which a browser comes back from a consent; of several who bring the ticket, one gets it. */
    async takeTicket(ticketHash: string): Promise<ConnectSession | null> {
      const session = await find({ ticketHash })
      if (session === null) return null
      const query = db.updateTable('connectSessions').set({ ticketHash: null })
      return (await queries.run(change(query.where('ticketHash', '=', ticketHash)))) > 0 ? session : null
    },
  }
}
