/** The tenant: what every question to the store is bound to. */
import type { ExpressionBuilder } from 'kysely'
import { db, type Tables } from './sql/tables.ts'

/** Whose things a call may see. An end user of null means the whole organization. */
export interface Tenant {
  readonly organizationId: string
  readonly externalUserId: string | null
  /** The client that acts, for the audit log; left out where Conex acts by itself. */
  readonly clientId?: string
}

/** True of the connectors that the tenant may see; goes into the WHERE of every query over connectors. */
export const ownedBy =
  ({ organizationId, externalUserId }: Tenant) =>
  (where: ExpressionBuilder<Tables, 'connectors'>) =>
    where.and({
      'connectors.organizationId': organizationId,
      ...(externalUserId !== null && { 'connectors.externalUserId': externalUserId }),
    })

/** The connector of this id, where the tenant may see it. */
export const connectorOf = (tenant: Tenant, id: string) =>
  db.selectFrom('connectors').where(ownedBy(tenant)).where('connectors.id', '=', id)
