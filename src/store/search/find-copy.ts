/** Finds the copy that a search is answered from. */
import type { Query } from '../../search/query.ts'
import { type CopyKey, nothingCopied, type SearchedState } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import { queryFor } from '../older-copy.ts'
import { lastErrorOf } from '../sql/copy-rows.ts'
import type { RecordTable } from '../sql/record-table.ts'
import type { Tenant } from '../tenant.ts'
import { Bindings } from './bindings.ts'
import type { Row, SearchedCopy, Work } from './dialect.ts'

export interface FoundCopy<Table> {
  readonly table: Table
  /** Where there is none, it has a number that no record has. */
  readonly copy: SearchedCopy
  readonly state: SearchedState
  /** The query as the table answers it. */
  readonly query: Query
}

type CopyRow = readonly [number, string, number, string | null, unknown, string | null, string | null, string | null]

/** Of several copies the whole one, and of these the one with this version's fields. To be read at the same moment as the hits. */
export function* findCopy<Table extends RecordTable>(
  tables: EntityTables<Table>,
  { organizationId, externalUserId }: Tenant,
  { connectorId, kind, entity }: CopyKey,
  query: Query,
): Work<FoundCopy<Table>> {
  const own = tables.get(kind, entity)
  // Reads no more of the row than it needs: all of it takes longer than finding one record.
  const [found] = yield* rows(
    `select number, records_table, records, synced_at, complete, error_code, error_detail, error_at
    from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = $1 and copies.entity = $2
      and connectors.organization_id = $3 and (cast($4 as text) is null or connectors.external_user_id = $4)
    order by synced_at is not null desc, records_table = $5 desc, number desc limit 1`,
    [connectorId, entity, organizationId, externalUserId, own.id],
  )
  if (found === undefined)
    return { table: own, copy: { connectorId, entity, number: 0, records: 0 }, state: nothingCopied, query }
  const [number, name, records, syncedAt, complete, ...error] = found as CopyRow
  const table = name === own.id ? own : (tables.known(name) ?? (yield* heldTable(tables, name)))
  return {
    table,
    copy: { connectorId, entity, number, records },
    state: { records, syncedAt, complete: Boolean(complete), lastError: lastErrorOf(...error) },
    query: table === own ? query : queryFor(query, own.searchable, table.searchable),
  }
}

/** A table that another version has made. */
function* heldTable<Table extends RecordTable>(tables: EntityTables<Table>, name: string): Work<Table> {
  const [row] = yield* rows('select kind, entity, fields from copy_tables where name = $1', [name])
  const [kind, entity, fields] = row as readonly [string, string, string]
  return tables.held({ name, kind, entity, fields })
}

function* rows(sql: string, values: readonly (string | null)[]): Work<readonly Row[]> {
  const bind = new Bindings((number) => `$${number}`)
  for (const value of values) bind.add(value)
  return yield { sql, bind }
}
