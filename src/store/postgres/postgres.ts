/** The store in a PostgreSQL database, which any number of nodes share. */
import type { Catalog } from '../../catalog/catalog.ts'
import { makeTables } from '../copies/tables.ts'
import { EntityTables, searchableEntities } from '../entity-tables.ts'
import { applyMissing } from '../sql/migrations.ts'
import { type StatementBounds, usualBounds } from '../statements/statement.ts'
import { bookkeeping, ordinaryStores, type Store } from '../store.ts'
import { postgresRecords } from './copy-records.ts'
import { copyTable, tableLayout } from './copy-table.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { postgresQueries } from './queries.ts'
import { copySearch, type SearchOptions, searchDatabase } from './search-store.ts'
import { postgresStatements } from './statements.ts'

export interface PostgresOptions extends SearchOptions {
  readonly statements: StatementBounds
  /** Connections for all but searches, so that no search keeps another request waiting. */
  readonly connections: number
}

const defaults: PostgresOptions = { connections: 10, searchers: 4, limitMs: 10_000, statements: usualBounds }

/** Connects, and brings the tables up to date. */
export async function openPostgres(
  url: string,
  catalog: Catalog,
  options: Partial<PostgresOptions> = {},
): Promise<Store> {
  const { connections, searchers, limitMs, statements } = { ...defaults, ...options }
  const database = new Database(url, { connections, statementMs: 60_000 })
  const searching = searchDatabase(url, { searchers, limitMs })
  const tables = new EntityTables(searchableEntities(catalog), copyTable)
  const { select, close: endStatements } = postgresStatements(url, database, tables, statements)
  const close = async () => {
    await Promise.all([database.close(), searching.close(), endStatements()])
  }
  try {
    await migrate(database, function* () {
      yield* applyMissing(migrations)
      yield* makeTables(tables, tableLayout, new Date().toISOString())
    })
  } catch (error) {
    await close()
    throw error
  }
  const queries = postgresQueries(database)
  const { copies, ...others } = bookkeeping({ queries, tables, records: postgresRecords, layout: tableLayout })
  return {
    ...ordinaryStores(queries),
    ...others,
    copies: {
      ...copies,
      ...copySearch(searching, database, tables, { searchers, limitMs }),
      select,
      dialect: 'PostgreSQL',
    },
    close,
  }
}
