/** What a search has to know of a copy, remembered for as long as nobody writes to the file. */
import type { Database } from 'better-sqlite3'
import { type CopyKey, nothingCopied, type SearchedState } from '../copy.ts'
import { lastErrorOf } from '../sql/copy-rows.ts'
import type { Tenant } from '../tenant.ts'
import type { SearchStatements } from './search-statements.ts'

/** Makes the function that finds it, to be asked inside the transaction that searches, on a connection that never writes. */
export function searchStates(
  database: Database,
  statements: SearchStatements,
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
    let state = known.get(name)
    if (state === undefined) {
      state = findSearched(statements, tenant, key)
      known.set(name, state)
    }
    return state
  }
}

const mostKnown = 1000

/** What a search has to know of a copy; where there is none it finds no records. */
export interface FoundCopy {
  readonly number: number
  readonly state: SearchedState
}

/** Reads no more of the row than it needs: reading all of it takes longer than finding one record. */
function findSearched(statements: SearchStatements, tenant: Tenant, copy: CopyKey): FoundCopy {
  const row = statements.first(
    `select number, records, synced_at, complete, error_code, error_detail, error_at from copies join connectors on connectors.id = copies.connector_id
    where copies.connector_id = ? and copies.entity = ? and copies.kind = ?
      and connectors.organization_id = ? and (? is null or connectors.external_user_id = ?)`,
    [copy.connectorId, copy.entity, copy.kind, tenant.organizationId, tenant.externalUserId, tenant.externalUserId],
  ) as [number, number, string | null, number, string | null, string | null, string | null] | undefined
  if (row === undefined) return { number: 0, state: nothingCopied }
  const [number, records, syncedAt, complete, error_code, error_detail, error_at] = row
  const lastError = lastErrorOf({ error_code, error_detail, error_at })
  return { number, state: { records, syncedAt, complete: complete === 1, lastError } }
}
