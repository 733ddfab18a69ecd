/** What a search has to know of a copy, remembered for as long as nobody writes to the file. */
import type { Database } from 'better-sqlite3'
import { type CopyKey, nothingCopied, type SearchedState } from '../copy.ts'
import type { HeldTable } from '../entity-tables.ts'
import { lastErrorOf } from '../sql/copy-rows.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { SearchStatements } from './search-statements.ts'

/** What a search has to know of a copy; where there is none it finds no records. */
export interface FoundCopy {
  readonly number: number
  readonly table: CopyTable
  readonly state: SearchedState
}

/** Makes the function that finds it, to be asked inside the transaction that searches, on a connection that never writes. */
export function searchStates(
  database: Database,
  statements: SearchStatements,
  tables: CopyTables,
): (tenant: Tenant, key: CopyKey) => FoundCopy {
  // Changes whenever another connection has written: a tenth of the work of reading the rows.
  const version = database.prepare<[], number>('pragma data_version').pluck()
  const known = new Map<string, FoundCopy>()
  let knownAt = 0
  return (tenant, key) => {
    const now = version.get()!
    if (now !== knownAt || known.size >= mostKnown) known.clear()
    knownAt = now
    const name = JSON.stringify([tenant.organizationId, tenant.externalUserId, key.connectorId, key.kind, key.entity])
    let found = known.get(name)
    if (found === undefined) {
      found = findSearched(database, statements, tables, tenant, key)
      known.set(name, found)
    }
    return found
  }
}

const mostKnown = 1000

type Searched = [number, string, number, string | null, number, string | null, string | null, string | null]

/** Of several copies the whole one, and of these the one with this version's fields. Reads no more of the row than it needs: all of it takes longer than finding one record. */
function findSearched(
  database: Database,
  statements: SearchStatements,
  tables: CopyTables,
  tenant: Tenant,
  copy: CopyKey,
): FoundCopy {
  const own = tables.get(copy.kind, copy.entity)
  const [row] = statements.rows(
    `select number, records_table, records, synced_at, complete, error_code, error_detail, error_at
    from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = $1 and copies.entity = $2
      and connectors.organization_id = $3 and ($4 is null or connectors.external_user_id = $4)
    order by synced_at is not null desc, records_table = $5 desc, number desc limit 1`,
    [copy.connectorId, copy.entity, tenant.organizationId, tenant.externalUserId, own.id],
  ) as unknown as Searched[]
  if (row === undefined) return { number: 0, table: own, state: nothingCopied }
  const [number, held, records, syncedAt, complete, ...error] = row
  const lastError = lastErrorOf(...error)
  const find = 'select name, kind, entity, fields from copy_tables where name = ?'
  const table = held === own.id ? own : tables.held(database.prepare<[string], HeldTable>(find).get(held)!)
  return { number, table, state: { records, syncedAt, complete: complete === 1, lastError } }
}
