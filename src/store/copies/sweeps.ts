/** Removes what full passes no longer met, step by step, so that others get to write in between. */
import { sql } from 'kysely'
import { testOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import type { CopyKey, Sweep } from '../copy.ts'
import type { Lease } from '../leases.ts'
import { all, change, first, own, type Steps } from '../sql/steps.ts'
import { db } from '../sql/tables.ts'
import type { Tenant } from '../tenant.ts'
import { meet, removeRecords } from './marks.ts'
import type { RecordTable } from './record-table.ts'
import type { CopyContext } from './record-tables.ts'
import { type CopyRow, changeCopy, copyToWrite, findCopy } from './rows.ts'

/** Smaller entities may lose most of their records in an ordinary week. */
const fewestToProtect = 20

/** Removing so many holds locks for some milliseconds, in which nobody else writes to a SQLite file. */
const recordsInStep = 200

export function copySweeps({ queries, tables, records, layout }: CopyContext) {
  const tableOf = ({ kind, entity }: CopyKey): RecordTable => tables.get(kind, entity)

  return {
    /** Ids that the running full pass has not met, at most `limit`: worth asking for one by one. */
    unmetIds: (tenant: Tenant, copy: CopyKey, limit: number) =>
      queries.run(unmetIds(tenant, copy, tableOf(copy), limit)),

    /** Some of the records that the pass did not cover now count as met, since it says nothing about them; gives the id to go on after. */
    passOver: (tenant: Tenant, copy: CopyKey, lease: Lease, within: Condition, after: string) =>
      queries.transaction(function* () {
        const table = tableOf(copy)
        const row = yield* copyToSweep(tenant, copy, table, lease)
        const { ids, last } = yield* nextIds(unmetSince(row.pass, row), after)
        const read = yield* own((connection) => records.read(connection, table, row.number, ids))
        const covers = testOf(within)
        const uncovered = read.filter(({ data }) => !covers(data))
        yield* meet(
          layout,
          row,
          uncovered.map(({ id }) => id),
        )
        return last
      }),

    /** How many records there are, how many this pass has missed, and how many of these the one swept before has missed as well. */
    countMissed: (tenant: Tenant, copy: CopyKey, lease: Lease) =>
      // Nothing stays locked while it counts. The marks alone tell, and the records, which are far larger, are not read.
      queries.run(countMissed(tenant, copy, tableOf(copy), lease)),

    /** Removes some of those that were missed twice; gives how many, and the id to go on after. */
    removeMissed: (tenant: Tenant, copy: CopyKey, lease: Lease, after: string) =>
      queries.transaction(function* () {
        const table = tableOf(copy)
        const row = yield* copyToSweep(tenant, copy, table, lease)
        const { ids, last } = yield* nextIds(unmetSince(row.sweptBefore, row), after)
        const removed = yield* removeRecords(layout, table, row.number, ids)
        if (removed > 0)
          yield* change(changeCopy(row).set({ records: row.records - removed, deleted: row.deleted + removed }))
        return { removed, last }
      }),
  }
}

/** Lets all records that the running full pass did not cover, by this condition, count as met. Null fields meet no comparison. */
export async function passOver(
  copies: Pick<CopySweeps, 'passOver'>,
  ...of: [tenant: Tenant, copy: CopyKey, lease: Lease, within: Condition]
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await copies.passOver(...of, after)
}

/**
 * At the end of a full pass that was read to its end: removes the records that neither it nor the full pass before it met.
 * Sweeping the same pass twice counts once. Never removes more than half of an entity of 20 records and more, unless
 * `evenMost` says that somebody has seen that they really are gone.
 */
export async function sweep(
  copies: Pick<CopySweeps, 'countMissed' | 'removeMissed'>,
  tenant: Tenant,
  copy: CopyKey,
  lease: Lease,
  evenMost = false,
): Promise<Sweep> {
  const { records, missed, twice } = await copies.countMissed(tenant, copy, lease)
  if (!evenMost && records >= fewestToProtect && twice * 2 > records) {
    const reason = `Two full passes did not meet ${twice} of ${records} records of ${copy.entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`
    return { outcome: 'refused', records, wouldRemove: twice, reason }
  }
  let removed = 0
  for (let after = twice > 0 ? '' : null; after !== null; ) {
    const step = await copies.removeMissed(tenant, copy, lease, after)
    removed += step.removed
    after = step.last
  }
  return { outcome: 'swept', removed, missing: missed - twice }
}

type CopySweeps = ReturnType<typeof copySweeps>

function* copyToSweep(tenant: Tenant, copy: CopyKey, table: RecordTable, lease: Lease): Steps<CopyRow> {
  const row = yield* copyToWrite(tenant, copy, table, lease)
  if (!isFull(row)) throw new Error('Only a full pass that is running can be swept.')
  return row
}

const isFull = ({ passStartedAt, passIsFull }: CopyRow): boolean => passStartedAt !== null && Boolean(passIsFull)

/** The records that neither this pass nor a later one has met. */
const unmetSince = (pass: number, { number }: CopyRow) =>
  db.selectFrom('copyMarks').where('copy', '=', number).where('met', '<', pass)

/** Some of these ids in order, and the one after which more may come. */
function* nextIds(marks: ReturnType<typeof unmetSince>, after: string, limit = recordsInStep) {
  const rows = yield* all(marks.select('id').where('id', '>', after).orderBy('id').limit(limit))
  const ids = rows.map(({ id }) => id)
  return { ids, last: ids.length < limit ? null : ids.at(-1)! }
}

function* unmetIds(tenant: Tenant, copy: CopyKey, table: RecordTable, limit: number) {
  const row = yield* findCopy(tenant, copy, table)
  return row === undefined || !isFull(row) ? [] : (yield* nextIds(unmetSince(row.pass, row), '', limit)).ids
}

function* countMissed(tenant: Tenant, copy: CopyKey, table: RecordTable, lease: Lease) {
  const row = yield* copyToSweep(tenant, copy, table, lease)
  const { pass, sweptBefore } = row
  yield* change(changeCopy(row).where('pass', '=', pass).set({ sweptPass: pass }))
  const missed = sql<number>`cast(count(*) as integer)`.as('missed')
  const twice = sql<number>`cast(count(case when met < ${sweptBefore} then 1 end) as integer)`.as('twice')
  return { records: row.records, ...(yield* first(unmetSince(pass, row).select([missed, twice])))! }
}
