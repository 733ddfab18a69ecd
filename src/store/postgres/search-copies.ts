/** Finds the copy that is searched. */
import type { CopyKey } from '../copy.ts'
import type { CopyRow } from '../sql/copy-rows.ts'
import type { Tenant } from '../tenant.ts'
import type { Session, Value } from './database.ts'

/**
 * Selects the row of a copy of the tenant's, given the values of `copyValues`. Its columns are named, since the database refuses
 * a kept statement whose columns would be others after a newer node has added one.
 */
export const selectCopy = `select number, kind, entity, copies.status, records, pass, pass_is_full, pass_started_at, mark, complete,
    synced_at, finished_at, error_code, error_detail, error_at, progress
  from copies join connectors on connectors.id = copies.connector_id
  where connectors.organization_id = $1 and ($2::text is null or connectors.external_user_id = $2) and copies.connector_id = $3 and copies.entity = $4 and copies.kind = $5`

export const copyValues = (tenant: Tenant, { connectorId, entity, kind }: CopyKey): readonly Value[] => [
  tenant.organizationId,
  tenant.externalUserId,
  connectorId,
  entity,
  kind,
]

/** The copy of an entity, or null when there is none or the connector is not the tenant's. */
export async function findCopy(session: Session, tenant: Tenant, copy: CopyKey): Promise<CopyRow | null> {
  return (await session.first<CopyRow>(selectCopy, ...copyValues(tenant, copy))) ?? null
}
