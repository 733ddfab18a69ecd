/** The store in one SQLite file. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { Catalog } from '../../catalog/catalog.ts'
import { makeTables } from '../copies/tables.ts'
import { EntityTables, searchableEntities } from '../entity-tables.ts'
import { applyMissing } from '../sql/migrations.ts'
import { type StatementBounds, usualBounds } from '../statements/statement.ts'
import { ordinaryStores, type Store } from '../store.ts'
import { copyThreads } from './copy-store.ts'
import { copyTable, tableLayout } from './copy-table.ts'
import { DiskRoom } from './disk-room.ts'
import { migrations } from './migrations.ts'
import { SqliteQueries } from './queries.ts'
import { sqliteStatements } from './statements.ts'

export interface SqliteOptions {
  readonly mostPages?: number
  readonly statements?: StatementBounds
}

/**
 * Opens the file, making it and its folder where they are missing; both are for their owner alone. With `mostPages` it is full when
 * it has so many, as on a disk without room.
 */
export async function openSqlite(
  file: string,
  catalog: Catalog,
  { mostPages, statements = usualBounds }: SqliteOptions = {},
): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Made before SQLite would make it: the files beside it (-wal, -shm) take over its mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new Database(file, { timeout: 5_000 })
  const room = new DiskRoom(file)
  const told = (error: unknown): unknown => room.told(error)
  const queries = new SqliteQueries(database, told)
  const entities = searchableEntities(catalog)
  try {
    database.pragma('journal_mode = wal')
    // A renewed credential has to survive a power cut, because the system may already have forgotten the old one.
    database.pragma('synchronous = full')
    database.pragma('foreign_keys = on')
    // Deleted content is overwritten where that costs no further page.
    database.pragma('secure_delete = fast')
    await queries.transaction(function* () {
      yield* applyMissing(migrations)
      yield* makeTables(new EntityTables(entities, copyTable), tableLayout, new Date().toISOString())
    })
    // From here on others wait on this thread: who writes elsewhere is waited for between its turns.
    database.pragma('busy_timeout = 10')
    if (mostPages !== undefined) database.pragma(`max_page_count = ${mostPages}`)
  } catch (error) {
    database.close()
    throw error
  }
  const { copies, leases, ledgers, overview, schedule, close } = copyThreads(file, entities, { told, mostPages })
  const ordinary = ordinaryStores(queries)
  const { select, close: endStatements } = sqliteStatements(file, entities, statements)
  return {
    ...ordinary,
    async ready() {
      await ordinary.ready()
      return (await room.isFull()) ? 'full' : 'ready'
    },
    copies: { ...copies, select, dialect: 'SQLite' },
    leases,
    ledgers,
    overview,
    schedule,
    async close() {
      await Promise.all([close(), endStatements()])
      database.close()
    },
  }
}
