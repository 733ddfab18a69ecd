/** What a search has to know of a copy, remembered for as long as nobody writes to the file. */
import type { Database } from 'better-sqlite3'
import type { CopyKey } from '../copy.ts'
import type { Tenant } from '../tenant.ts'
import { type FoundCopy, findSearched } from './copy-owner.ts'
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
