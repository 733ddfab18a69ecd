/** Searching the copies of one SQLite file, on a connection that can only read. */

import type { Database } from 'better-sqlite3'
import type { Query } from '../../search/query.ts'
import { searchedCopy } from '../copies/searched-copy.ts'
import type { CopyKey, Found } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import { queryFor } from '../older-copy.ts'
import type { Work } from '../search/dialect.ts'
import { type HitsPage, runSearch } from '../search/run.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyTable } from './copy-table.ts'
import { SqliteQueries } from './queries.ts'
import { sqliteDialect } from './search-dialect.ts'
import { searchFunctions } from './search-functions.ts'
import { SearchStatements } from './search-statements.ts'

/** What a search found, its hits in UTF-8: as bytes they go to another thread without being copied. */
export interface FoundBytes extends Omit<HitsPage, 'hits'>, Pick<Found, 'state'> {
  readonly hits: Uint8Array<ArrayBuffer>
}

/** Gives the function that searches; its `tick` throws when the search has to end. */
export function copySearching(
  database: Database,
  tables: EntityTables<CopyTable>,
): (tenant: Tenant, key: CopyKey, query: Query, tick: () => void) => FoundBytes {
  const queries = new SqliteQueries(database)
  const statements = new SearchStatements(database)
  const use = searchFunctions(database)
  function run<Result>(work: Work<Result>, tick: () => void): Result {
    for (let next = work.next(); ; ) {
      if (next.done === true) return next.value
      const { sql, bind } = next.value
      use({ tests: bind.tests, tick })
      next = work.next(statements.rows(sql, bind.values))
    }
  }
  // One transaction, so that hits and state are of one moment.
  return database.transaction((tenant: Tenant, key: CopyKey, query: Query, tick: () => void): FoundBytes => {
    const { searchable } = tables.get(key.kind, key.entity)
    const { table, copy, state } = queries.known(JSON.stringify([tenant, key]), () => searchedCopy(tables, tenant, key))
    const asked = queryFor(query, searchable, table.searchable)
    const found = run(runSearch(sqliteDialect(table, copy), asked), tick)
    return { ...found, hits: utf8.encode(found.hits), state }
  })
}

const utf8 = new TextEncoder()
