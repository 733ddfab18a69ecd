/** The one place where a tenant and a lease become the right to read or write a copy. */
import type { CopyKey, EntityState } from '../copy.ts'
import { type Lease, LeaseLost } from '../leases.ts'
import { first, type Steps } from '../sql/steps.ts'
import { db, type Row } from '../sql/tables.ts'
import { connectorOf, type Tenant } from '../tenant.ts'
import type { RecordTable } from './record-table.ts'

export type CopyRow = Row<'copies'>

/** Every copy of a connector of the tenant, in whatever table. */
export const copiesOf = (tenant: Tenant, connectorId: string) =>
  connectorOf(tenant, connectorId).innerJoin('copies', 'copies.connectorId', 'connectors.id').selectAll('copies')

/** The copy of an entity in this table; there is none either where the connector is not the tenant's. */
export const findCopy = (tenant: Tenant, { connectorId, entity }: CopyKey, { id }: RecordTable) =>
  first(copiesOf(tenant, connectorId).where('entity', '=', entity).where('recordsTable', '=', id))

/**
 * The connector of the tenant under this lease, if it is the newest one. It stays so until the transaction has ended: who takes the
 * lease over, or deletes the connector, waits as long.
 */
export const underLease = (tenant: Tenant, { connectorId, token }: Lease) =>
  connectorOf(tenant, connectorId)
    .innerJoin('copyLeases', 'copyLeases.connectorId', 'connectors.id')
    .where('token', '=', token)
    .where('holder', 'is not', null)
    .forKeyShare('connectors')
    .forNoKeyUpdate('copyLeases')

/** The copy to write to, locked like the lease. Throws unless the lease is the newest one of a connector of the tenant. */
export function* copyToWrite(tenant: Tenant, copy: CopyKey, { id }: RecordTable, lease: Lease): Steps<CopyRow> {
  const { connectorId, entity } = copy
  const row = yield* first(
    underLease(tenant, lease)
      .innerJoin('copies', 'copies.connectorId', 'connectors.id')
      .selectAll('copies')
      .where((where) => where.and({ 'connectors.id': connectorId, entity, recordsTable: id }))
      .forNoKeyUpdate('copies'),
  )
  if (row === undefined) throw new LeaseLost(connectorId)
  return row
}

/** Changes the state of a copy. */
export const changeCopy = ({ number }: CopyRow) => db.updateTable('copies').where('number', '=', number)

/** Why the last pass failed. */
export const lastErrorOf = ({ lastError }: { readonly lastError: string | null }): EntityState['lastError'] =>
  lastError === null ? null : JSON.parse(lastError)
