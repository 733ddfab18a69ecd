/** The store in a PostgreSQL database, which any number of nodes share. */
import type { Catalog } from '../../catalog/catalog.ts'
import { searchableEntities } from '../entity-tables.ts'
import { bookkeeping } from '../sql/copies.ts'
import { sweepBy } from '../sql/copy-sweeps.ts'
import { ordinaryStores } from '../sql/stores.ts'
import type { Store } from '../store.ts'
import { migrateCopies } from './copy-migrate.ts'
import { postgresRecords } from './copy-records.ts'
import type { CopyTables } from './copy-table.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { postgresQueries } from './queries.ts'
import { copySearch, type SearchOptions, searchDatabase } from './search-store.ts'

export interface PostgresOptions extends SearchOptions {
  /** Connections for all but searches, so that no search keeps another request waiting. */
  readonly connections: number
}

const defaults: PostgresOptions = { connections: 10, searchers: 4, limitMs: 10_000 }

/** Connects, and brings the tables up to date. */
export async function openPostgres(
  url: string,
  catalog: Catalog,
  version: string,
  options: Partial<PostgresOptions> = {},
): Promise<Store> {
  const { connections, searchers, limitMs } = { ...defaults, ...options }
  const database = new Database(url, { connections, statementMs: 60_000 })
  const searching = searchDatabase(url, { searchers, limitMs })
  const close = async () => {
    await Promise.all([database.close(), searching.close()])
  }
  let tables: CopyTables
  try {
    tables = await migrate(database, (session) => migrateCopies(session, searchableEntities(catalog), version))
  } catch (error) {
    await close()
    throw error
  }
  const queries = postgresQueries(database)
  const { copies, ...others } = bookkeeping(queries, tables, postgresRecords)
  return {
    ...ordinaryStores(queries),
    ...others,
    copies: {
      ...copies,
      sweep: sweepBy(copies.sweepStep),
      ...copySearch(searching, database, tables, { searchers, limitMs }),
    },
    close,
  }
}
