/**
 * The codes with which end users sign in, and what they then allow a program of an agent. Both end by themselves; those
 * that have are removed in passing. Times are ISO 8601 in UTC.
 */
import type { ExpressionBuilder } from 'kysely'
import { writeAudit } from './audit.ts'
import { all, change, first, type Queries } from './sql/steps.ts'
import { db, type Row, type Tables } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** A code that was made for an end user. */
export type SignInCode = Readonly<Pick<Row<'signInCodes'>, 'codeHash' | 'externalUserId' | 'expiresAt'>>

/** What a program was allowed: found by the hash of its first secret, used with the second, which every use replaces. */
export type AgentGrant = Readonly<Row<'agentGrants'>>

export type NewAgentGrant = Omit<AgentGrant, 'organizationId' | 'externalUserId' | 'createdBy' | 'allowedAt'>

/** A grant, and whose it is. */
type GrantOfUser = Pick<AgentGrant, 'grantHash' | 'organizationId' | 'externalUserId'>

/** Facts for the audit log beside those of the grant. */
type Details = Readonly<Record<string, string>>

export function agentGrantStore(queries: Queries) {
  const removeEnded = (table: 'signInCodes' | 'agentGrants', now: string) =>
    queries.run(change(db.deleteFrom(table).where('expiresAt', '<=', now)))

  return {
    async addCode(tenant: Tenant, code: SignInCode, now: string) {
      await removeEnded('signInCodes', now)
      const { organizationId, clientId: createdBy = null } = tenant
      await queries.transaction(function* () {
        yield* change(db.insertInto('signInCodes').values({ ...code, organizationId, createdBy }))
        const { externalUserId } = code
        yield* writeAudit(tenant, { event: 'sign_in_code.created', at: now, externalUserId })
      })
    },

    /** Uses up a code for a grant; false if there is no such code, or it has ended. Of several who use it, one gets the grant. */
    async allow(codeHash: string, grant: NewAgentGrant, details: Details, now: string) {
      await removeEnded('agentGrants', now)
      return queries.transaction(function* () {
        const code = yield* first(db.deleteFrom('signInCodes').where('codeHash', '=', codeHash).returningAll())
        if (code === undefined || code.expiresAt <= now) return false
        const { organizationId, externalUserId, createdBy } = code
        const row = { ...grant, organizationId, externalUserId, createdBy, allowedAt: now }
        yield* change(db.insertInto('agentGrants').values(row))
        const agent = { organizationId, externalUserId, clientId: grant.clientId }
        yield* writeAudit(agent, { event: 'agent.allowed', at: now, details })
        return true
      })
    },

    /** The grant, if it has not ended. Whose it is, is not known before it is found. */
    async find(grantHash: string, now: string): Promise<AgentGrant | null> {
      const row = await queries.run(first(db.selectFrom('agentGrants').selectAll().where('grantHash', '=', grantHash)))
      return row === undefined || row.expiresAt <= now ? null : row
    },

    /** Puts a new secret in the place of this one; false if another use has done so. */
    async replaceSecret(
      { grantHash, secretHash }: AgentGrant,
      next: { readonly secretHash: string; readonly expiresAt: string },
    ) {
      const query = db
        .updateTable('agentGrants')
        .set({ ...next, codeChallenge: null, redirectUri: null })
        .where((where) => where.and({ grantHash, secretHash }))
      return (await queries.run(change(query))) > 0
    },

    /** The grants of an end user that have not ended, newest first. */
    list(
      { organizationId }: Tenant,
      externalUserId: string,
      most: number,
      now: string,
    ): Promise<readonly AgentGrant[]> {
      const query = db
        .selectFrom('agentGrants')
        .selectAll()
        .where((where) => where.and({ organizationId, externalUserId }))
        .where('expiresAt', '>', now)
      return queries.run(all(query.orderBy('allowedAt', 'desc').orderBy('grantHash').limit(most)))
    },

    /** Ends a grant, and keeps in the audit log why; false if it has ended already. */
    end: (grant: GrantOfUser, reason: string, now: string) =>
      queries.transaction(function* () {
        const gone = yield* first(db.deleteFrom('agentGrants').where(isGrant(grant)).returningAll())
        if (gone !== undefined) yield* writeAudit(gone, { event: 'agent.ended', at: now, details: { reason } })
        return gone !== undefined
      }),
  }
}

const isGrant =
  ({ grantHash, organizationId, externalUserId }: GrantOfUser) =>
  (where: ExpressionBuilder<Tables, 'agentGrants'>) =>
    where.and({ grantHash, organizationId, externalUserId })
