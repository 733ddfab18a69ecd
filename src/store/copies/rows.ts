/** The one place where a tenant and a lease become the right to read or write a copy. */
import type { CopyKey, EntityState } from '../copy.ts'
import { type Lease, LeaseLost, underLease } from '../leases.ts'
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

/** A copy with the connector to which it belongs. */
export type CopyToWrite = CopyRow & Pick<Row<'connectors'>, 'externalUserId' | 'connectorType'>

/** The copy to write to, locked like the lease. Throws unless the lease is the newest one of a connector of the tenant. */
export function* copyToWrite(tenant: Tenant, copy: CopyKey, { id }: RecordTable, lease: Lease): Steps<CopyToWrite> {
  const { connectorId, entity } = copy
  const row = yield* first(
    underLease(tenant, lease)
      .innerJoin('copies', 'copies.connectorId', 'connectors.id')
      .selectAll('copies')
      .select(['externalUserId', 'connectorType'])
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
