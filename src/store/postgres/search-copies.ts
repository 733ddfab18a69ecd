/** Finds the copy that is searched. */
import type { CopyKey } from '../copy.ts'
import type { HeldTable } from '../entity-tables.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { Session } from './database.ts'

/** What a search has to know of a copy. */
export interface SearchedRow {
  readonly number: number
  readonly records_table: string
  readonly records: number
  readonly complete: boolean
  readonly synced_at: string | null
  readonly error_code: string | null
  readonly error_detail: string | null
  readonly error_at: string | null
}

/**
 * The copy of an entity that searches are answered from: of several the whole one, and of these the one with this version's
 * fields. Null when there is none or the connector is not the tenant's.
 */
export async function findCopy(
  session: Session,
  { organizationId, externalUserId }: Tenant,
  { connectorId }: CopyKey,
  own: CopyTable,
): Promise<SearchedRow | null> {
  const row = await session.first<SearchedRow>(
    `select number, records_table, records, complete, synced_at, error_code, error_detail, error_at
    from copies join connectors on connectors.id = copies.connector_id
    where connectors.organization_id = $1 and ($2::text is null or connectors.external_user_id = $2)
      and copies.connector_id = $3 and copies.entity = $4
    order by synced_at is not null desc, records_table = $5 desc, number desc limit 1`,
    organizationId,
    externalUserId,
    connectorId,
    own.entity,
    own.id,
  )
  return row ?? null
}

/** The table of this name, which another version may have made. */
export async function tableOf(session: Session, tables: CopyTables, own: CopyTable, name: string): Promise<CopyTable> {
  if (name === own.id) return own
  const known = tables.known(name)
  if (known !== null) return known
  const find = 'select name, kind, entity, fields from copy_tables where name = $1'
  return tables.held((await session.first<HeldTable>(find, name))!)
}
