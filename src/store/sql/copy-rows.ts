/** The one place where a tenant and a lease become the right to read or write a copy. */
import type { CopyKey, EntityState } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import { ownedBy, type Tenant } from '../tenant.ts'
import type { RecordTable } from './record-table.ts'
import { all, first, type Steps } from './steps.ts'
import { db, type Row } from './tables.ts'

/** The state of a copy. */
export type CopyRow = Row<'copies'>

const copiesOf = (tenant: Tenant, connectorId: string) =>
  db
    .selectFrom('connectors')
    .innerJoin('copies', 'copies.connectorId', 'connectors.id')
    .selectAll('copies')
    .where(ownedBy(tenant))
    .where('connectors.id', '=', connectorId)

/** The copy of an entity in this table; there is none either where the connector is not the tenant's. */
export function* findCopy(
  tenant: Tenant,
  { connectorId, entity }: CopyKey,
  { id }: RecordTable,
): Steps<CopyRow | undefined> {
  return yield* first(copiesOf(tenant, connectorId).where('entity', '=', entity).where('recordsTable', '=', id))
}

/** Every copy of a connector of the tenant, in whatever table. */
export function* findCopies(tenant: Tenant, connectorId: string): Steps<CopyRow[]> {
  return yield* all(copiesOf(tenant, connectorId).orderBy('copies.entity').orderBy('copies.number'))
}

/**
 * Throws unless the lease is the newest one of a connector of the tenant. It stays so until the transaction has ended: who
 * takes the lease over, or deletes the connector, waits as long.
 */
export function* checkLease(tenant: Tenant, lease: Lease): Steps<void> {
  const held = yield* first(
    underLease(tenant, lease).select('copyLeases.token').forKeyShare('connectors').forNoKeyUpdate('copyLeases'),
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
      .innerJoin('copies', 'copies.connectorId', 'connectors.id')
      .selectAll('copies')
      .where('connectors.id', '=', connectorId)
      .where('copies.entity', '=', entity)
      .where('copies.recordsTable', '=', id)
      .forKeyShare('connectors')
      .forNoKeyUpdate(['copyLeases', 'copies']),
  )
  if (row === undefined) throw new LeaseLost(connectorId)
  return row
}

const underLease = (tenant: Tenant, { connectorId, token }: Lease) =>
  db
    .selectFrom('connectors')
    .innerJoin('copyLeases', 'copyLeases.connectorId', 'connectors.id')
    .where(ownedBy(tenant))
    .where('connectors.id', '=', connectorId)
    .where('copyLeases.token', '=', token)
    .where('copyLeases.holder', 'is not', null)

/** Changes the state of a copy. */
export const changeCopy = (number: number) => db.updateTable('copies').where('number', '=', number)

/** Why the last pass failed, as the columns say it. */
export const lastErrorOf = (code: string | null, detail: string | null, at: string | null): EntityState['lastError'] =>
  code === null ? null : { code, detail: detail!, at: at! }
