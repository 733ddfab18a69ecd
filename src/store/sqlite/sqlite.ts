/** The store in one SQLite file. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Store } from '../store.ts'
import { auditStore } from './audit.ts'
import { clientStore } from './clients.ts'
import { connectorStore } from './connectors.ts'
import { consentStore } from './consents.ts'
import { migrateCopies } from './copy-migrate.ts'
import { copyThreads } from './copy-store.ts'
import { CopyTables, searchableEntities } from './copy-table.ts'
import { db, Queries } from './database.ts'
import { migrate } from './migrate.ts'
import { organizationStore } from './organizations.ts'
import { sealStore } from './seals.ts'

/** Opens the file, making it and its folder where they are missing; both are for their owner alone. */
export function openSqlite(file: string, catalog: Catalog): Store {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Made before SQLite would make it: the files beside it (-wal, -shm) take over its mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new Database(file, { timeout: 5_000 })
  const entities = searchableEntities(catalog)
  try {
    database.pragma('journal_mode = wal')
    // A renewed credential has to survive a power cut, because the system may already have forgotten the old one.
    database.pragma('synchronous = full')
    database.pragma('foreign_keys = on')
    // What is deleted is overwritten where that costs no further page.
    database.pragma('secure_delete = fast')
    migrate(database)
    migrateCopies(database, new CopyTables(entities))
  } catch (error) {
    database.close()
    throw error
  }
  const queries = new Queries(database)
  const { copies, leases, ledgers, schedule, close } = copyThreads(file, entities)
  return {
    organizations: organizationStore(queries),
    connectors: connectorStore(queries),
    consents: consentStore(queries),
    copies,
    leases,
    ledgers,
    schedule,
    audit: auditStore(queries),
    clients: clientStore(queries),
    seals: sealStore(queries),
    async ready() {
      queries.first(db.selectFrom('organizations').select('id').limit(1))
    },
    async close() {
      await close()
      database.close()
    },
  }
}
