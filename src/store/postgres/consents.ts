/** Consents under way and the grants they gave, in PostgreSQL. */
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { ConsentStore, GrantBinding, Tenant } from '../store.ts'
import { writeAudit } from './audit.ts'
import { compiled, type Database, db, type Session } from './database.ts'
import type { Tables } from './tables.ts'

export function consentStore(database: Database): ConsentStore {
  return {
    async begin(tenant, consent, now) {
      const { organizationId } = tenant
      await database.run(...compiled(db.deleteFrom('consents').where('expires_at', '<=', now)))
      const row = {
        state_hash: consent.stateHash,
        organization_id: organizationId,
        external_user_id: consent.externalUserId,
        connector_type: consent.connectorType,
        redirect_url: consent.redirectUrl,
        sealed: consent.sealed,
        expires_at: consent.expiresAt,
      }
      await database.transaction(async (session) => {
        await session.run(...compiled(db.insertInto('consents').values(row)))
        const { externalUserId, connectorType: connector_type } = consent
        await writeAudit(session, tenant, {
          event: 'consent.begun',
          at: now,
          externalUserId,
          details: { connector_type },
        })
      })
    },

    async take(stateHash, now) {
      // Of several who take it at once one gets the row that it deletes.
      const row = await database.first<Selectable<Tables['consents']>>(
        ...compiled(db.deleteFrom('consents').where('state_hash', '=', stateHash).returningAll()),
      )
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
      const { organizationId } = tenant
      await database.run(...compiled(db.deleteFrom('grants').where('expires_at', '<=', now)))
      const row = {
        secret_hash: grant.secretHash,
        organization_id: organizationId,
        external_user_id: grant.externalUserId,
        connector_type: grant.connectorType,
        sealed: grant.sealed,
        expires_at: grant.expiresAt,
      }
      await database.transaction(async (session) => {
        await session.run(...compiled(db.insertInto('grants').values(row)))
        const { externalUserId, connectorType: connector_type } = grant
        await writeAudit(session, tenant, {
          event: 'consent.given',
          at: now,
          externalUserId,
          details: { connector_type },
        })
      })
    },

    async findGrant(tenant, grant, now) {
      const row = await database.first<{ sealed: string | null }>(
        ...compiled(
          db.selectFrom('grants').select('sealed').where(boundTo(tenant, grant)).where('expires_at', '>', now),
        ),
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
      where('organization_id', '=', tenant.organizationId),
      where('secret_hash', '=', secretHash),
      where('external_user_id', '=', tenant.externalUserId ?? externalUserId),
      where('external_user_id', '=', externalUserId),
      where('connector_type', '=', connectorType),
    ])
}

/** Takes what is sealed out of a grant; false when another use did so before. Part of the caller's transaction. */
export async function spendGrant(session: Session, tenant: Tenant, grant: GrantBinding): Promise<boolean> {
  const spent = db.updateTable('grants').set({ sealed: null }).where(boundTo(tenant, grant))
  return (await session.run(...compiled(spent.where('sealed', 'is not', null)))) > 0
}
