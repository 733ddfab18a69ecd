/** Consents under way and the grants they gave, in SQLite. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { ConsentStore, GrantBinding, Tenant } from '../store.ts'
import { writeAudit } from './audit.ts'
import { db, type Queries } from './database.ts'
import type { Tables } from './tables.ts'

export function consentStore(queries: Queries): ConsentStore {
  return {
    async begin(tenant, consent, now) {
      const { organizationId } = tenant
      queries.transaction(() => {
        queries.run(db.deleteFrom('consents').where('expires_at', '<=', now))
        queries.run(
          db.insertInto('consents').values({
            state_hash: consent.stateHash,
            organization_id: organizationId,
            external_user_id: consent.externalUserId,
            connector_type: consent.connectorType,
            redirect_url: consent.redirectUrl,
            sealed: consent.sealed,
            expires_at: consent.expiresAt,
          }),
        )
        const { externalUserId, connectorType: connector_type } = consent
        writeAudit(queries, tenant, { event: 'consent.begun', at: now, externalUserId, details: { connector_type } })
      })
    },

    async take(stateHash, now) {
      return queries.transaction(() => {
        const row = queries.first(db.selectFrom('consents').selectAll().where('state_hash', '=', stateHash))
        if (row === undefined) return null
        queries.run(db.deleteFrom('consents').where('state_hash', '=', stateHash))
        if (row.expires_at <= now) return null
        return {
          organizationId: row.organization_id,
          stateHash: row.state_hash,
          externalUserId: row.external_user_id,
          connectorType: row.connector_type,
          redirectUrl: row.redirect_url,
          sealed: row.sealed,
          expiresAt: row.expires_at,
        }
      })
    },

    async keepGrant(tenant, grant, now) {
      const { organizationId } = tenant
      queries.transaction(() => {
        queries.run(db.deleteFrom('grants').where('expires_at', '<=', now))
        queries.run(
          db.insertInto('grants').values({
            secret_hash: grant.secretHash,
            organization_id: organizationId,
            external_user_id: grant.externalUserId,
            connector_type: grant.connectorType,
            sealed: grant.sealed,
            expires_at: grant.expiresAt,
          }),
        )
        const { externalUserId, connectorType: connector_type } = grant
        writeAudit(queries, tenant, { event: 'consent.given', at: now, externalUserId, details: { connector_type } })
      })
    },

    async findGrant(tenant, grant, now) {
      const row = queries.first(
        db.selectFrom('grants').select('sealed').where(boundTo(tenant, grant)).where('expires_at', '>', now),
      )
      return row === undefined ? null : { sealed: row.sealed }
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
      where('secret_hash', '=', secretHash),
      where('organization_id', '=', tenant.organizationId),
      where('external_user_id', '=', tenant.externalUserId ?? externalUserId),
      where('external_user_id', '=', externalUserId),
      where('connector_type', '=', connectorType),
    ])
}

/** Takes what is sealed out of a grant; false when another use did so before. Part of the caller's transaction. */
export function spendGrant(queries: Queries, tenant: Tenant, grant: GrantBinding): boolean {
  return (
    queries.run(
      db.updateTable('grants').set({ sealed: null }).where(boundTo(tenant, grant)).where('sealed', 'is not', null),
    ) > 0
  )
}
