/** Transactions that read and then write. */
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Runs the work in a transaction that holds the write lock from its start, so that what it read stays true until it writes. */
export function immediately<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // After some failures, such as a full disk, SQLite has rolled back by itself and says so.
      await sql`rollback`.execute(connection).catch(() => {})
      throw error
    }
  })
}
