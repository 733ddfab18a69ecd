/** Consents under way and the grants they gave. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { ConsentStore, GrantBinding } from '../consents.ts'
import type { Tenant } from '../tenant.ts'
import { writeAudit } from './audit.ts'
import { change, first, type Queries, type Steps } from './steps.ts'
import { db, type Tables } from './tables.ts'

export function consentStore(queries: Queries): ConsentStore {
  /** Removes those that have ended; apart from all else, so that no two wait for each other over them. */
  const sweep = (table: 'consents' | 'grants', now: string): Promise<number> =>
    queries.run(change(db.deleteFrom(table).where('expires_at', '<=', now)))

  return {
    async begin(tenant, consent, now) {
      await sweep('consents', now)
      const { externalUserId, connectorType: connector_type } = consent
      await queries.transaction(function* () {
        yield* change(
          db.insertInto('consents').values({
            state_hash: consent.stateHash,
            organization_id: tenant.organizationId,
            external_user_id: externalUserId,
            connector_type,
            redirect_url: consent.redirectUrl,
            sealed: consent.sealed,
            expires_at: consent.expiresAt,
          }),
        )
        yield* writeAudit(tenant, { event: 'consent.begun', at: now, externalUserId, details: { connector_type } })
      })
    },

    async take(stateHash, now) {
      // Of several who take it at once one gets the row that it deletes.
      const row = await queries.run(first(db.deleteFrom('consents').where('state_hash', '=', stateHash).returningAll()))
      if (row === undefined || row.expires_at <= now) return null
      return {
        organizationId: row.organization_id,
        stateHash: row.state_hash,
        externalUserId: row.external_user_id,
        connectorType: row.connector_type,
        redirectUrl: row.redirect_url,
        sealed: row.sealed,
        expiresAt: row.expires_at,
      }
    },

    async keepGrant(tenant, grant, now) {
      await sweep('grants', now)
      const { externalUserId, connectorType: connector_type } = grant
      await queries.transaction(function* () {
        const kept = yield* change(
          db
            .insertInto('grants')
            .values({
              secret_hash: grant.secretHash,
              organization_id: tenant.organizationId,
              external_user_id: externalUserId,
              connector_type,
              sealed: grant.sealed,
              expires_at: grant.expiresAt,
            })
            // A repeat whose first try was kept, but not answered.
            .onConflict((conflict) => conflict.doNothing()),
        )
        if (kept === 0) return
        yield* writeAudit(tenant, { event: 'consent.given', at: now, externalUserId, details: { connector_type } })
      })
    },

    async findGrant(tenant, grant, now) {
      const query = db.selectFrom('grants').select('sealed').where(boundTo(tenant, grant)).where('expires_at', '>', now)
      const row = await queries.run(first(query))
      return row === undefined ? null : { sealed: row.sealed }
    },

    async renewGrant(tenant, grant, sealed) {
      const renewed = db.updateTable('grants').set({ sealed }).where(boundTo(tenant, grant))
      await queries.run(change(renewed.where('sealed', 'is not', null)))
    },
  }
}

/** True of the grant of this organization, end user and kind; goes into the WHERE of every query over grants. */
function boundTo(
  tenant: Tenant,
  { secretHash, externalUserId, connectorType }: GrantBinding,
): (where: ExpressionBuilder<Tables, 'grants'>) => Expression<SqlBool> {
  return (where) =>
    where.and([
      where('organization_id', '=', tenant.organizationId),
      where('secret_hash', '=', secretHash),
      where('external_user_id', '=', tenant.externalUserId ?? externalUserId),
      where('external_user_id', '=', externalUserId),
      where('connector_type', '=', connectorType),
    ])
}

/** Takes the sealed credentials out of a grant; false if another use has taken them before. Part of the caller's transaction. */
export function* spendGrant(tenant: Tenant, grant: GrantBinding): Steps<boolean> {
  const spent = db.updateTable('grants').set({ sealed: null }).where(boundTo(tenant, grant))
  return (yield* change(spent.where('sealed', 'is not', null))) > 0
}
