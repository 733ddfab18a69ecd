/** The one place where a tenant becomes a condition of a query. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tenant } from '../tenant.ts'
import type { Tables } from './tables.ts'

/** True of the connectors that the tenant may see; goes into the WHERE of every query over connectors. */
export function ownedBy(tenant: Tenant): (where: ExpressionBuilder<Tables, 'connectors'>) => Expression<SqlBool> {
  return (where) => {
    const organization = where('connectors.organization_id', '=', tenant.organizationId)
    return tenant.externalUserId === null
      ? organization
      : where.and([organization, where('connectors.external_user_id', '=', tenant.externalUserId)])
  }
}
