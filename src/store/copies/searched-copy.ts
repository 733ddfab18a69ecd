/** Finds the copy that a search is answered from. */
import { sql } from 'kysely'
import { type CopyKey, nothingCopied, type SearchedState } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import { first, type Steps } from '../sql/steps.ts'
import { db } from '../sql/tables.ts'
import { connectorOf, type Tenant } from '../tenant.ts'
import type { RecordTable } from './record-table.ts'
import { lastErrorOf } from './rows.ts'

export interface FoundCopy<Table> {
  readonly table: Table
  readonly copy: Pick<CopyKey, 'connectorId' | 'entity'> & { readonly number: number; readonly records: number }
  readonly state: SearchedState
}

/** Of several copies the whole one, and of these the one with this version's fields. To be read at the same moment as the hits. */
export function* searchedCopy<Table extends RecordTable>(
  tables: EntityTables<Table>,
  tenant: Tenant,
  { connectorId, kind, entity }: CopyKey,
): Steps<FoundCopy<Table>> {
  const own = tables.get(kind, entity)
  const row = yield* first(
    connectorOf(tenant, connectorId)
      .innerJoin('copies', 'copies.connectorId', 'connectors.id')
      // All of the row takes longer to read than finding one record.
      .select(['number', 'recordsTable', 'records', 'syncedAt', 'complete', 'lastError'])
      .where('entity', '=', entity)
      .orderBy(sql`synced_at is not null`, 'desc')
      .orderBy(sql`records_table = ${own.id}`, 'desc')
      .orderBy('number', 'desc')
      .limit(1),
  )
  // No copy has this number.
  const none = { connectorId, entity, number: 0, records: 0 }
  if (row === undefined) return { table: own, copy: none, state: nothingCopied }
  const { number, recordsTable, records, syncedAt, complete } = row
  return {
    table: recordsTable === own.id ? own : yield* tableOfAnotherVersion(tables, recordsTable),
    copy: { connectorId, entity, number, records },
    state: { records, syncedAt, complete: Boolean(complete), lastError: lastErrorOf(row) },
  }
}

function* tableOfAnotherVersion<Table extends RecordTable>(tables: EntityTables<Table>, name: string): Steps<Table> {
  const query = db.selectFrom('copyTables').selectAll().where('name', '=', name)
  return tables.known(name) ?? tables.held((yield* first(query))!)
}
