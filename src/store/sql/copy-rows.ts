/** The one place where a tenant and a lease become the right to read or write a copy. */
import type { CopyKey, EntityState } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import { ownedBy } from './owned-by.ts'
import type { RecordTable } from './record-table.ts'
import { all, first, type Steps } from './steps.ts'
import { db, type Row } from './tables.ts'

/** The state of a copy. */
export type CopyRow = Row<'copies'>

const copiesOf = (tenant: Tenant, connectorId: string) =>
  db
    .selectFrom('connectors')
    .innerJoin('copies', 'copies.connector_id', 'connectors.id')
    .selectAll('copies')
    .where(ownedBy(tenant))
    .where('connectors.id', '=', connectorId)

/** The copy of an entity in this table; there is none either where the connector is not the tenant's. */
export function* findCopy(
  tenant: Tenant,
  { connectorId, entity }: CopyKey,
  { id }: RecordTable,
): Steps<CopyRow | undefined> {
  return yield* first(copiesOf(tenant, connectorId).where('entity', '=', entity).where('records_table', '=', id))
}

/** Every copy of a connector of the tenant, in whatever table. */
export function* findCopies(tenant: Tenant, connectorId: string): Steps<CopyRow[]> {
  return yield* all(copiesOf(tenant, connectorId).orderBy('copies.entity').orderBy('copies.number'))
}

/** Whether the connector is the tenant's; it stays so until the transaction has ended. */
export function* isOwner(tenant: Tenant, connectorId: string): Steps<boolean> {
  const query = db.selectFrom('connectors').select('id').where(ownedBy(tenant)).where('id', '=', connectorId)
  return (yield* first(query.forKeyShare())) !== undefined
}

/**
 * Throws unless the lease is the newest one of a connector of the tenant. It stays so until the transaction has ended: who
 * takes the lease over, or deletes the connector, waits as long.
 */
export function* checkLease(tenant: Tenant, lease: Lease): Steps<void> {
  const held = yield* first(
    underLease(tenant, lease).select('copy_leases.token').forKeyShare('connectors').forNoKeyUpdate('copy_leases'),
  )
  if (held === undefined) throw new LeaseLost(lease.connectorId)
}

/** The copy to write to under this lease, locked like the lease. */
export function* copyToWrite(
  tenant: Tenant,
  { connectorId, entity }: CopyKey,
  { id }: RecordTable,
  lease: Lease,
): Steps<CopyRow> {
  const row = yield* first(
    underLease(tenant, lease)
      .innerJoin('copies', 'copies.connector_id', 'connectors.id')
      .selectAll('copies')
      .where('connectors.id', '=', connectorId)
      .where('copies.entity', '=', entity)
      .where('copies.records_table', '=', id)
      .forKeyShare('connectors')
      .forNoKeyUpdate(['copy_leases', 'copies']),
  )
  if (row === undefined) throw new LeaseLost(connectorId)
  return row
}

const underLease = (tenant: Tenant, { connectorId, token }: Lease) =>
  db
    .selectFrom('connectors')
    .innerJoin('copy_leases', 'copy_leases.connector_id', 'connectors.id')
    .where(ownedBy(tenant))
    .where('connectors.id', '=', connectorId)
    .where('copy_leases.token', '=', token)
    .where('copy_leases.holder', 'is not', null)

/** Changes the state of a copy. */
export const changeCopy = (number: number) => db.updateTable('copies').where('number', '=', number)

/** Why the last pass failed, as a row says it. */
export const lastErrorOf = ({
  error_code: code,
  error_detail: detail,
  error_at: at,
}: Pick<CopyRow, 'error_code' | 'error_detail' | 'error_at'>): EntityState['lastError'] =>
  code === null ? null : { code, detail: detail!, at: at! }
