/** Brings the tables of a PostgreSQL database up to date. */
import { type Migration, missing } from '../sql/migrations.ts'
import type { Database, Session } from './database.ts'
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

// Any number that no other program uses.
const lock = 4_039_204_105

/**
 * Applies what is missing, and then does `more` to the tables: all of it or nothing. Of several nodes one does it while the
 * others wait. Gives what `more` gives.
 */
export async function migrate<T>(
  database: Database,
  more: (session: Session) => Promise<T>,
  steps: readonly Migration[] = migrations,
): Promise<T> {
  return database.transaction(async (session) => {
    // Waiting for another node, and filling an index, may take longer than a statement otherwise may.
    await session.run('set local statement_timeout = 0')
    await session.run('select pg_advisory_xact_lock($1)', lock)
    await checkDatabase(session)
    await session.run(
      'create table if not exists migrations (number integer primary key, applied_at timestamptz not null)',
    )
    const { applied } = (await session.first<{ applied: number }>(
      'select coalesce(max(number), 0) as applied from migrations',
    ))!
    for (const step of missing(steps, applied)) {
      for (const statement of step.statements) await session.run(statement)
      await session.run('insert into migrations (number, applied_at) values ($1, now())', step.number)
    }
    return more(session)
  })
}

async function checkDatabase(session: Session): Promise<void> {
  const { version, encoding } = (await session.first<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  ))!
  if (version < 150_000)
    throw new Error(`The PostgreSQL server is of version ${Math.floor(version / 10_000)}; use version 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new Error(
      `The database keeps its texts as ${encoding}, which cannot hold all characters. Make it anew with \`create database … encoding 'UTF8' template template0\`.`,
    )
}
