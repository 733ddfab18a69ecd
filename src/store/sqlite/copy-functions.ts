/** What a thread does with the copies of one SQLite file, by the names under which it is asked. */
import type { Database } from 'better-sqlite3'
import type { Query } from '../../search/query.ts'
import type { CopyKey, Found } from '../copy.ts'
import type { Tenant } from '../tenant.ts'
import { copyLeases } from './copy-leases.ts'
import { copyPages } from './copy-pages.ts'
import { copyPasses } from './copy-passes.ts'
import { copyRemoval } from './copy-removal.ts'
import { CopyStatements } from './copy-statements.ts'
import { copySweeps } from './copy-sweeps.ts'
import type { CopyTables } from './copy-table.ts'
import { ledgerStatements } from './ledgers.ts'
import { scheduleStatements } from './schedule.ts'
import { type Check, ConditionCompiler } from './search-condition.ts'
import { searchFunctions } from './search-functions.ts'
import { Landmarks } from './search-landmarks.ts'
import { type HitsPage, runSearch, type Searcher } from './search-run.ts'
import { SearchStatements } from './search-statements.ts'
import { searchStates } from './search-states.ts'

/** Everything that writes, or has to see what was just written. */
export function copyWriting(database: Database, tables: CopyTables) {
  const statements = new CopyStatements(database)
  const use = searchFunctions(database)
  const pages = copyPages(statements, tables)
  const { removeAll: _, ...writing } = pages
  const sweeps = copySweeps(statements, tables, pages, (table, { within }) => {
    const checks: Check[] = []
    const compiled = new ConditionCompiler(table, checks).compile(within!)
    use({ checks, counts: [], keys: [], tick: () => {} })
    return compiled
  })
  return {
    ...copyLeases(statements),
    ...ledgerStatements(statements),
    ...scheduleStatements(statements),
    ...copyPasses(statements),
    ...writing,
    ...sweeps,
    ...copyRemoval(statements, tables),
  }
}

export type CopyWriting = ReturnType<typeof copyWriting>

/** What a search found, its hits as bytes. */
export type FoundBytes = HitsPage & Pick<Found, 'state'>

export interface CopySearching {
  /** `tick` throws when the search has to end. */
  search(tenant: Tenant, key: CopyKey, query: Query, tick: () => void): FoundBytes
}

/** Searching, on a connection that can only read. */
export function copySearching(database: Database, tables: CopyTables): CopySearching {
  const statements = new SearchStatements(database)
  const searcher: Searcher = { statements, landmarks: new Landmarks(), use: searchFunctions(database) }
  const stateOf = searchStates(database, statements)
  return {
    // One transaction, so that hits and state are of one moment.
    search: database.transaction((tenant: Tenant, key: CopyKey, query: Query, tick: () => void): FoundBytes => {
      const table = tables.get(key.kind, key.entity)
      const { number, state } = stateOf(tenant, key)
      const copy = { connectorId: key.connectorId, entity: key.entity, number, records: state.records }
      return { ...runSearch(searcher, table, copy, query, tick), state }
    }),
  }
}
