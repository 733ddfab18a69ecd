/** The numbered steps that bring a database's tables up to date. */
import { sql } from 'kysely'
import { all, change, type Steps } from './steps.ts'

/** The statements of one step, which are never changed once they were released. The first step is number 1. */
export type Migration = readonly string[]

/** Applies the steps that a database still lacks, in a transaction that keeps others from doing so. Throws when it is ahead of them. */
export function* applyMissing(steps: readonly Migration[]): Steps<void> {
  yield* change(sql`create table if not exists migrations (number integer primary key, applied_at text not null)`)
  const applied = yield* all(sql<{ number: number }>`select number from migrations order by number desc limit 1`)
  const before = applied[0]?.number ?? 0
  if (before > steps.length)
    throw new Error(
      `The database was last used by a newer version of Conex (its tables are at step ${before}, this version knows ${steps.length}). Start that version, or restore an older backup.`,
    )
  for (let number = before + 1; number <= steps.length; number++) {
    for (const statement of steps[number - 1]!) yield* change(sql.raw(statement))
    yield* change(sql`insert into migrations (number, applied_at) values (${number}, ${new Date().toISOString()})`)
  }
}
