/** The one place where a tenant and a lease become the right to read or write a copy. */
import type { CopyKey, EntityState } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import type { Session, Value } from './database.ts'

/** True of the tenant's connectors, when `ownerOf` gives the first two values of the statement. */
const owned = `connectors.organization_id = $1 and ($2::text is null or connectors.external_user_id = $2)`

const ownerOf = ({ organizationId, externalUserId }: Tenant) => [organizationId, externalUserId] as const

/** A row of what is known of copies. */
export interface CopyRow {
  readonly number: number
  readonly kind: string
  readonly entity: string
  readonly status: 'waiting' | 'running' | 'finished' | 'failed'
  readonly records: number
  readonly pass: number
  readonly pass_is_full: boolean
  readonly pass_started_at: string | null
  readonly mark: string
  readonly complete: boolean
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

/**
 * Selects the row of a copy of the tenant's, given the values of `copyValues`. Its columns are named, since the database refuses
 * a kept statement whose columns would be others after a newer node has added one.
 */
export const selectCopy = `select number, kind, entity, copies.status, records, pass, pass_is_full, pass_started_at, mark, complete,
    synced_at, finished_at, error_code, error_detail, error_at, progress
  from copies join connectors on connectors.id = copies.connector_id
  where ${owned} and copies.connector_id = $3 and copies.entity = $4 and copies.kind = $5`

export const copyValues = (tenant: Tenant, { connectorId, entity, kind }: CopyKey): readonly Value[] => [
  ...ownerOf(tenant),
  connectorId,
  entity,
  kind,
]

/** The copy of an entity, or null when there is none or the connector is not the tenant's. */
export async function findCopy(session: Session, tenant: Tenant, copy: CopyKey): Promise<CopyRow | null> {
  return (await session.first<CopyRow>(selectCopy, ...copyValues(tenant, copy))) ?? null
}

/** Every copy of a connector of the tenant. */
export function findCopies(session: Session, tenant: Tenant, connectorId: string): Promise<CopyRow[]> {
  return session.all<CopyRow>(
    `select copies.* from copies join connectors on connectors.id = copies.connector_id
    where ${owned} and copies.connector_id = $3 order by copies.entity`,
    ...ownerOf(tenant),
    connectorId,
  )
}

/** Whether the connector is the tenant's. */
export async function isOwner(session: Session, tenant: Tenant, connectorId: string): Promise<boolean> {
  const sql = `select 1 from connectors where ${owned} and connectors.id = $3`
  return (await session.first(sql, ...ownerOf(tenant), connectorId)) !== undefined
}

/**
 * Throws unless the lease is the newest one of a connector of the tenant. It stays so until the transaction has ended: whoever
 * takes the lease over, or deletes the connector, waits as long.
 */
export async function checkLease(session: Session, tenant: Tenant, lease: Lease): Promise<void> {
  const held = await session.first(
    `select 1 from connectors join copy_leases on copy_leases.connector_id = connectors.id
    where ${owned} and connectors.id = $3 and copy_leases.token = $4 and copy_leases.holder is not null
    for key share of connectors for no key update of copy_leases`,
    ...ownerOf(tenant),
    lease.connectorId,
    lease.token,
  )
  if (held === undefined) throw new LeaseLost(lease.connectorId)
}

/** The copy to write to under this lease, locked like the lease. */
export async function copyToWrite(session: Session, tenant: Tenant, copy: CopyKey, lease: Lease): Promise<CopyRow> {
  if (copy.connectorId !== lease.connectorId) throw new LeaseLost(copy.connectorId)
  const row = await session.first<CopyRow>(
    `select copies.* from connectors join copy_leases on copy_leases.connector_id = connectors.id
      join copies on copies.connector_id = connectors.id
    where ${owned} and connectors.id = $3 and copy_leases.token = $4 and copy_leases.holder is not null
      and copies.entity = $5 and copies.kind = $6
    for key share of connectors for no key update of copy_leases, copies`,
    ...ownerOf(tenant),
    lease.connectorId,
    lease.token,
    copy.entity,
    copy.kind,
  )
  if (row === undefined) throw new LeaseLost(copy.connectorId)
  return row
}
