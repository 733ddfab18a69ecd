/** The one place where a tenant and a lease become the right to read or write a copy. */
import { type CopyKey, type EntityState, nothingCopied, type SearchedState } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { SearchStatements } from './search-statements.ts'

const owned = `connectors.organization_id = ? and (? is null or connectors.external_user_id = ?)`

/** What `owned` is given. */
const ownerOf = ({ organizationId, externalUserId }: Tenant) =>
  [organizationId, externalUserId, externalUserId] as const

/** A row of what is known of copies. */
export interface CopyRow {
  readonly number: number
  readonly kind: string
  readonly entity: string
  readonly status: 'waiting' | 'running' | 'finished' | 'failed'
  readonly records: number
  readonly pass: number
  readonly pass_is_full: number
  readonly pass_started_at: string | null
  readonly mark: string
  readonly complete: number
  readonly synced_at: string | null
  readonly finished_at: string | null
  readonly error_code: string | null
  readonly error_detail: string | null
  readonly error_at: string | null
  readonly progress: string | null
}

/** Why the last pass failed, as a row says it. */
export const lastErrorOf = ({
  error_code: code,
  error_detail: detail,
  error_at: at,
}: Pick<CopyRow, 'error_code' | 'error_detail' | 'error_at'>): EntityState['lastError'] =>
  code === null ? null : { code, detail: detail!, at: at! }

/** The copy of an entity, or null when there is none or the connector is not the tenant's. */
export function findCopy(statements: CopyStatements, tenant: Tenant, copy: CopyKey): CopyRow | null {
  const row = statements.first<CopyRow>(
    `select copies.* from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = ? and copies.entity = ? and copies.kind = ? and ${owned}`,
    copy.connectorId,
    copy.entity,
    copy.kind,
    ...ownerOf(tenant),
  )
  return row ?? null
}

/** What a search has to know of a copy; where there is none it finds no records. */
export interface FoundCopy {
  readonly number: number
  readonly state: SearchedState
}

/** The same for a search, which asks this each time: reading the whole row takes longer than finding one record. */
export function findSearched(statements: SearchStatements, tenant: Tenant, copy: CopyKey): FoundCopy {
  const row = statements.first(
    `select number, records, synced_at, complete, error_code, error_detail, error_at from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = ? and copies.entity = ? and copies.kind = ? and ${owned}`,
    [copy.connectorId, copy.entity, copy.kind, ...ownerOf(tenant)],
  ) as [number, number, string | null, number, string | null, string | null, string | null] | undefined
  if (row === undefined) return { number: 0, state: nothingCopied }
  const [number, records, syncedAt, complete, error_code, error_detail, error_at] = row
  const lastError = lastErrorOf({ error_code, error_detail, error_at })
  return { number, state: { records, syncedAt, complete: complete === 1, lastError } }
}

/** Every copy of a connector of the tenant. */
export function findCopies(statements: CopyStatements, tenant: Tenant, connectorId: string): CopyRow[] {
  return statements.all<CopyRow>(
    `select copies.* from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = ? and ${owned} order by copies.entity`,
    connectorId,
    ...ownerOf(tenant),
  )
}

/** Whether the connector is the tenant's. */
export function isOwner(statements: CopyStatements, tenant: Tenant, connectorId: string): boolean {
  const sql = `select 1 from connectors where id = ? and ${owned}`
  return statements.first(sql, connectorId, ...ownerOf(tenant)) !== undefined
}

/** Throws unless the lease is the newest one of a connector of the tenant. To be asked inside the transaction that writes. */
export function checkLease(statements: CopyStatements, tenant: Tenant, lease: Lease): void {
  const held = statements.first(
    `select 1 from copy_leases join connectors on connectors.id = copy_leases.connector_id
    where copy_leases.connector_id = ? and copy_leases.token = ? and copy_leases.holder is not null and ${owned}`,
    lease.connectorId,
    lease.token,
    ...ownerOf(tenant),
  )
  if (held === undefined) throw new LeaseLost(lease.connectorId)
}

/** The copy to write to under this lease. */
export function copyToWrite(statements: CopyStatements, tenant: Tenant, copy: CopyKey, lease: Lease): CopyRow {
  checkLease(statements, tenant, lease)
  const row = copy.connectorId === lease.connectorId ? findCopy(statements, tenant, copy) : null
  if (row === null) throw new LeaseLost(copy.connectorId)
  return row
}
