/** Searching the copies of one SQLite file, on a connection that can only read. */
import type { Database } from 'better-sqlite3'
import type { Query } from '../../search/query.ts'
import type { CopyKey, Found } from '../copy.ts'
import { queryFor } from '../older-copy.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyTables } from './copy-table.ts'
import { searchFunctions } from './search-functions.ts'
import { Landmarks } from './search-landmarks.ts'
import { type HitsPage, runSearch, type Searcher } from './search-run.ts'
import { SearchStatements } from './search-statements.ts'
import { searchStates } from './search-states.ts'

/** What a search found, its hits as bytes. */
export type FoundBytes = HitsPage & Pick<Found, 'state'>

export interface CopySearching {
  /** `tick` throws when the search has to end. */
  search(tenant: Tenant, key: CopyKey, query: Query, tick: () => void): FoundBytes
}

export function copySearching(database: Database, tables: CopyTables): CopySearching {
  const statements = new SearchStatements(database)
  const searcher: Searcher = { statements, landmarks: new Landmarks(), use: searchFunctions(database) }
  const stateOf = searchStates(database, statements, tables)
  return {
    // One transaction, so that hits and state are of one moment.
    search: database.transaction((tenant: Tenant, key: CopyKey, query: Query, tick: () => void): FoundBytes => {
      const own = tables.get(key.kind, key.entity)
      const { number, table, state } = stateOf(tenant, key)
      const asked = table === own ? query : queryFor(query, own.searchable, table.searchable)
      const copy = { connectorId: key.connectorId, entity: key.entity, number, records: state.records }
      return { ...runSearch(searcher, table, copy, asked, tick), state }
    }),
  }
}
