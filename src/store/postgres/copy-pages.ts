/** Writes pages of records in PostgreSQL. */
import type { CopyStore } from '../copy.ts'
import { copyToWrite } from './copy-owner.ts'
import { own, ownOf, writeCheckpoint } from './copy-passes.ts'
import { prepareRecords, putRecords } from './copy-records.ts'
import type { CopyTable, CopyTables } from './copy-table.ts'
import type { Database, Session } from './database.ts'

export function copyPages(database: Database, tables: CopyTables): Pick<CopyStore, 'commit'> {
  return {
    async commit(tenant, copy, lease, page, next) {
      const table = tables.get(copy.kind, copy.entity)
      // Worked out before the transaction, so that locks are held for writing alone.
      const prepared = await prepareRecords(table, page.records)
      const gone = [...new Set((page.gone ?? []).map((id) => id.toWellFormed()))]
      return database.transaction(async (session) => {
        const { number, pass } = await copyToWrite(session, tenant, copy, lease)
        const { changed, added } = await putRecords(session, table, number, [...prepared.values()])
        await meet(session, number, pass, [...prepared.keys()])
        const removed = await removeRecords(session, table, number, gone)
        if (added !== removed)
          await session.run(`update copies set records = records + $3 where ${own}`, ...ownOf(copy), added - removed)
        if (next !== null) await writeCheckpoint(session, number, next)
        return { changed, unchanged: prepared.size - changed.length, removed }
      })
    },
  }
}

/** Notes that the pass has met these records. */
async function meet(session: Session, copy: number, pass: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await session.run(
    `insert into copy_marks as marks (copy, id, met) select $1, id, $2 from unnest($3::text[]) as id
    on conflict (copy, id) do update set met = excluded.met, misses = 0
      where marks.met <> excluded.met or marks.misses <> 0`,
    copy,
    pass,
    ids,
  )
}

/** Removes records and what is noted of them; gives how many there were. */
export async function removeRecords(
  session: Session,
  table: CopyTable,
  copy: number,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  await session.run('delete from copy_marks where copy = $1 and id = any($2::text[])', copy, ids)
  return session.run(`delete from ${table.name} where _copy = $1 and _id = any($2::text[])`, copy, ids)
}
