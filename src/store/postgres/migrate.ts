/** Brings the tables of a PostgreSQL database up to date. */
import type { Steps } from '../sql/steps.ts'
import type { Database, Session } from './database.ts'
import { answered } from './queries.ts'

// Any number that no other program uses.
const lock = 4_039_204_105

/** Runs steps that change tables: all of them or none. One of several nodes does so while the others wait. */
export async function migrate(database: Database, begin: () => Steps<void>): Promise<void> {
  await database.transaction(async (session) => {
    // Waiting for another node may take longer than the usual time limit of a statement.
    await session.run('set local statement_timeout = 0')
    await session.run('select pg_advisory_xact_lock($1)', lock)
    await checkDatabase(session)
    await answered(session, begin())
  })
}

async function checkDatabase(session: Session): Promise<void> {
  const [{ version, encoding }] = (await session.all(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  )) as [{ version: number; encoding: string }]
  if (version < 150_000)
    throw new Error(`The PostgreSQL server is of version ${Math.floor(version / 10_000)}; use version 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new Error(
      `The database keeps its texts as ${encoding}, which cannot store all characters. Create it again with \`create database … encoding 'UTF8' template template0\`.`,
    )
}
