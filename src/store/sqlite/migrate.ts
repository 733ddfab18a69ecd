/** Brings the tables of a SQLite file up to date. */
import type { Database } from 'better-sqlite3'
import { type Migration, missing } from '../sql/migrations.ts'
import { firstTables } from './migrations/0001-first-tables.ts'
import { consents } from './migrations/0002-consents.ts'
import { copies } from './migrations/0003-copies.ts'
import { auditAndRights } from './migrations/0004-audit-and-rights.ts'
import { ledgers } from './migrations/0005-ledgers.ts'
import { startDates } from './migrations/0006-start-dates.ts'
import { filters } from './migrations/0007-filters.ts'
import { shapingVersions } from './migrations/0008-shaping-versions.ts'

const migrations: readonly Migration[] = [
  firstTables,
  consents,
  copies,
  auditAndRights,
  ledgers,
  startDates,
  filters,
  shapingVersions,
]

/** Applies what is missing, all of it or nothing; of several processes one does it while the others wait. */
export function migrate(database: Database, steps: readonly Migration[] = migrations): void {
  // Immediate takes the write lock first: a deferred transaction that reads and then writes would fail instead of waiting.
  database
    .transaction(() => {
      database.exec(
        'create table if not exists migrations (number integer primary key, applied_at text not null) strict',
      )
      const applied = database.prepare('select coalesce(max(number), 0) from migrations').pluck().get() as number
      for (const step of missing(steps, applied)) {
        for (const statement of step.statements) database.exec(statement)
        database
          .prepare("insert into migrations (number, applied_at) values (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
          .run(step.number)
      }
    })
    .immediate()
}
