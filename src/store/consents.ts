/** Consents under way and the grants that they gave. Both end by themselves; those that have are removed in passing. Times are ISO 8601 in UTC. */
import type { ExpressionBuilder } from 'kysely'
import { writeAudit } from './audit.ts'
import { change, first, type Queries, type Steps } from './sql/steps.ts'
import { db, type Tables } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** Whose a grant is: what a secret_id has to be used for. */
export interface GrantBinding {
  readonly secretHash: string
  readonly externalUserId: string
  readonly connectorType: string
}

/** What a finished consent gave, sealed until a connector takes it over. */
export interface Grant extends GrantBinding {
  readonly sealed: string
  readonly expiresAt: string
}

/** A consent that a person was sent to give: found by the hash of its state. */
export interface Consent {
  readonly stateHash: string
  readonly externalUserId: string
  readonly connectorType: string
  /** Where the browser goes in the end. */
  readonly redirectUrl: string
  readonly sealed: string
  readonly expiresAt: string
}

export function consentStore(queries: Queries) {
  /** Removes those that have ended; apart from all else, so that no two wait for each other over them. */
  const sweep = (table: 'consents' | 'grants', now: string) =>
    queries.run(change(db.deleteFrom(table).where('expiresAt', '<=', now)))

  return {
    async begin(tenant: Tenant, consent: Consent, now: string) {
      await sweep('consents', now)
      const { stateHash, externalUserId, connectorType, redirectUrl, sealed, expiresAt } = consent
      const values = { stateHash, externalUserId, connectorType, redirectUrl, sealed, expiresAt }
      await queries.transaction(function* () {
        yield* change(db.insertInto('consents').values({ ...values, organizationId: tenant.organizationId }))
        const details = { connector_type: connectorType }
        yield* writeAudit(tenant, { event: 'consent.begun', at: now, externalUserId, details })
      })
    },

    /**
     * The consent with this state, which works once: of several takers one gets it. Null when there is none, or when it has ended.
     * The browser that brings a state has no token; the state tells whose it is.
     */
    async take(stateHash: string, now: string) {
      // Of several who take it at once one gets the row that it deletes.
      const row = await queries.run(first(db.deleteFrom('consents').where('stateHash', '=', stateHash).returningAll()))
      return row === undefined || row.expiresAt <= now ? null : row
    },

    async keepGrant(tenant: Tenant, grant: Grant, now: string) {
      await sweep('grants', now)
      const { secretHash, externalUserId, connectorType, sealed, expiresAt } = grant
      const values = { secretHash, externalUserId, connectorType, sealed, expiresAt }
      await queries.transaction(function* () {
        const added = db.insertInto('grants').values({ ...values, organizationId: tenant.organizationId })
        // A repeat whose first try was kept, but not answered.
        if ((yield* change(added.onConflict((conflict) => conflict.doNothing()))) === 0) return
        const details = { connector_type: connectorType }
        yield* writeAudit(tenant, { event: 'consent.given', at: now, externalUserId, details })
      })
    },

    /** The grant, if it is this organization's, for this end user and kind; `sealed` is null once a connector has taken it over. */
    async findGrant(tenant: Tenant, grant: GrantBinding, now: string) {
      const query = db.selectFrom('grants').select('sealed').where(boundTo(tenant, grant)).where('expiresAt', '>', now)
      return (await queries.run(first(query))) ?? null
    },

    /** Puts renewed credentials into a grant that no connector has taken over yet. */
    async renewGrant(tenant: Tenant, grant: GrantBinding, sealed: string) {
      await queries.run(replaceSealed(tenant, grant, sealed))
    },
  }
}

/** True of the grant of this organization, end user and kind; goes into the WHERE of every query over grants. */
const boundTo =
  ({ organizationId, ...tenant }: Tenant, { secretHash, externalUserId, connectorType }: GrantBinding) =>
  (where: ExpressionBuilder<Tables, 'grants'>) =>
    where.and([
      where.and({ organizationId, secretHash, externalUserId, connectorType }),
      where('externalUserId', '=', tenant.externalUserId ?? externalUserId),
    ])

/** Changes what a grant holds; gives 0 when a connector has taken it over. */
const replaceSealed = (tenant: Tenant, grant: GrantBinding, sealed: string | null): Steps<number> =>
  change(db.updateTable('grants').set({ sealed }).where(boundTo(tenant, grant)).where('sealed', 'is not', null))

/** Takes the sealed credentials out of a grant; false if another use has taken them before. Part of the caller's transaction. */
export function* spendGrant(tenant: Tenant, grant: GrantBinding): Steps<boolean> {
  return (yield* replaceSealed(tenant, grant, null)) > 0
}
