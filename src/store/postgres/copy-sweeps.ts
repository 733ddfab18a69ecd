/** Removes what full passes no longer met, in PostgreSQL. */
import { testOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import type { CopyStore } from '../copy.ts'
import { Bindings } from './bindings.ts'
import { type CopyRow, copyToWrite, findCopy } from './copy-owner.ts'
import { removeRecords } from './copy-pages.ts'
import { own, ownOf } from './copy-passes.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { Database, Session } from './database.ts'
import { ConditionCompiler } from './search-condition.ts'
import { hitColumns, recordOf } from './search-hits.ts'

/** Smaller entities may lose most of their records in an ordinary week. */
const fewestToProtect = 20

/** Ids are removed and marked in statements of this many. */
const batchSize = 5000

interface Unmet {
  readonly id: string
  /** Another full pass has missed it before. */
  readonly again: boolean
}

export function copySweeps(database: Database, tables: CopyTables): Pick<CopyStore, 'knownIds' | 'unmetIds' | 'sweep'> {
  return {
    async knownIds(tenant, copy, limit, after) {
      const row = await findCopy(database, tenant, copy)
      if (row === null) return []
      const { name } = tables.get(copy.kind, copy.entity)
      const sql = `select _id from ${name} where _copy = $1 and _id > $2 order by _id limit $3`
      return (await database.all<{ _id: string }>(sql, row.number, after ?? '', limit)).map(({ _id }) => _id)
    },

    async unmetIds(tenant, copy, limit, after) {
      const row = await findCopy(database, tenant, copy)
      if (row === null || row.pass_started_at === null || !row.pass_is_full) return []
      const sql = 'select id from copy_marks where copy = $1 and id > $2 and met < $3 order by id limit $4'
      return (await database.all<{ id: string }>(sql, row.number, after ?? '', row.pass, limit)).map(({ id }) => id)
    },

    async sweep(tenant, copy, lease, options = {}) {
      const table = tables.get(copy.kind, copy.entity)
      return database.transaction(async (session) => {
        const row = await copyToWrite(session, tenant, copy, lease)
        if (row.pass_started_at === null || !row.pass_is_full)
          throw new Error('Only a full pass that is running can be swept.')
        const unmet = await unmetOf(session, table, row, options.within)
        const doomed = unmet.filter(({ again }) => again)
        if (!options.evenMost && row.records >= fewestToProtect && doomed.length * 2 > row.records)
          return {
            outcome: 'refused',
            records: row.records,
            wouldRemove: doomed.length,
            reason: `Two full passes did not meet ${doomed.length} of ${row.records} records of ${copy.entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`,
          }
        let removed = 0
        for (const ids of batches(doomed)) removed += await removeRecords(session, table, row.number, ids)
        if (removed > 0)
          await session.run(`update copies set records = records - $3 where ${own}`, ...ownOf(copy), removed)
        const missing = unmet.filter(({ again }) => !again)
        for (const ids of batches(missing))
          await session.run(
            `update copy_marks set misses = misses + 1, missed_by = $2
            where copy = $1 and id = any($3::text[]) and missed_by <> $2`,
            row.number,
            row.pass,
            ids,
          )
        return { outcome: 'swept', removed, missing: missing.length }
      })
    },
  }
}

/** The records that the running pass has not met, of those that it covered. */
async function unmetOf(
  session: Session,
  table: CopyTable,
  { number, pass }: CopyRow,
  within: Condition | undefined,
): Promise<Unmet[]> {
  // Counting this pass twice changes nothing.
  const again = 'marks.misses + (marks.missed_by <> $2)::int >= 2 as again'
  if (within === undefined)
    // The marks alone tell, and the records, which are far larger, are not read.
    return session.all<Unmet>(
      `select marks.id, ${again} from copy_marks as marks where marks.copy = $1 and marks.met < $2`,
      number,
      pass,
    )
  const bind = new Bindings()
  bind.values.push(number, pass)
  const condition = new ConditionCompiler({ table, copy: { number }, shares: null }, bind).compile(within)
  const test = testOf(within)
  const found: Unmet[] = []
  await session.run(
    `declare unmet no scroll cursor for select ${again}, ${hitColumns(table)}
    from copy_marks as marks join ${table.name} as t on t._copy = marks.copy and t._id = marks.id
    where marks.copy = $1 and marks.met < $2 and ${condition}`,
    ...bind.values,
  )
  for (let rows: unknown[][] = [[]]; rows.length > 0; ) {
    rows = await session.rows('fetch 1000 from unmet', [])
    for (const [isAgain, ...row] of rows) {
      const { id, data } = recordOf(table, row)
      if (test(data)) found.push({ id, again: isAgain as boolean })
    }
  }
  await session.run('close unmet')
  return found
}

function* batches(unmet: readonly Unmet[]): Generator<readonly string[]> {
  for (let start = 0; start < unmet.length; start += batchSize)
    yield unmet.slice(start, start + batchSize).map(({ id }) => id)
}
