/** Marks: which pass met each record last. They are apart from the records, and on every database the same. */
import { sql } from 'kysely'
import { change, type Steps } from '../sql/steps.ts'
import type { RecordTable } from './record-table.ts'
import type { TableLayout } from './record-tables.ts'
import type { CopyRow } from './rows.ts'

/** Notes that the running pass has met these records. */
export function* meet({ idRows }: TableLayout, { number, pass }: CopyRow, ids: readonly string[]): Steps<void> {
  if (ids.length === 0) return
  yield* change(sql`
    insert into copy_marks (copy, id, met) select ${number}, id, ${pass} from ${idRows(ids)} where true
    on conflict (copy, id) do update set met = excluded.met where copy_marks.met <> excluded.met`)
}

/** Removes records with their marks; gives how many records there were. */
export function* removeRecords(
  { idRows }: TableLayout,
  { name }: RecordTable,
  copy: number,
  ids: readonly string[],
): Steps<number> {
  if (ids.length === 0) return 0
  yield* change(sql`delete from copy_marks where copy = ${copy} and id in (select id from ${idRows(ids)})`)
  return yield* change(
    sql`delete from ${sql.raw(name)} where _copy = ${copy} and _id in (select id from ${idRows(ids)})`,
  )
}
