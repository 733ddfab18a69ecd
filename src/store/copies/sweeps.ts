/** Removes what full passes no longer met, step by step, so that others get to write in between. */
import { sql } from 'kysely'
import { testOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import type { CopyKey, Sweep, SweepOptions } from '../copy.ts'
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

  /** The next records that the pass has not met, those apart that it did not cover, and the id after which more may come. */
  function* unmetAfter(after: string, row: CopyRow, table: RecordTable, within: Condition | undefined) {
    const { ids, last } = yield* nextIds(unmetSince(row.pass, row), after)
    if (within === undefined) return { ids, uncovered: [], last }
    const read = yield* own((connection) => records.read(connection, table, row.number, ids))
    const test = testOf(within)
    const covered = new Set(read.filter(({ data }) => test(data)).map(({ id }) => id))
    return { ids: ids.filter((id) => covered.has(id)), uncovered: ids.filter((id) => !covered.has(id)), last }
  }

  function* unmetIds(tenant: Tenant, copy: CopyKey, limit: number, within: Condition | undefined): Steps<string[]> {
    const table = tableOf(copy)
    const row = yield* findCopy(tenant, copy, table)
    const unmet: string[] = []
    if (row === undefined || !isFull(row)) return unmet
    for (let after: string | null = ''; after !== null && unmet.length < limit; ) {
      const { ids, last }: { ids: string[]; last: string | null } = yield* unmetAfter(after, row, table, within)
      unmet.push(...ids)
      after = last
    }
    return unmet.slice(0, limit)
  }

  return {
    /** Ids that the running full pass has not met, at most `limit`, of records that meet the condition: worth asking for one by one. */
    unmetIds: (tenant: Tenant, copy: CopyKey, limit: number, within?: Condition) =>
      queries.run(unmetIds(tenant, copy, limit, within)),

    /** Lets some of the records that the pass did not cover count as met, since it says nothing about them; gives the id to go on after. */
    passOver: (tenant: Tenant, copy: CopyKey, lease: Lease, within: Condition, after: string) =>
      queries.transaction(function* () {
        const table = tableOf(copy)
        const row = yield* copyToSweep(tenant, copy, table, lease)
        const { uncovered, last } = yield* unmetAfter(after, row, table, within)
        yield* meet(layout, row, uncovered)
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
        if (removed > 0) yield* change(changeCopy(row).set({ records: row.records - removed }))
        return { removed, last }
      }),
  }
}

/**
 * At the end of a full pass that was read to its end: removes the records that neither it nor the full pass before it met.
 * Sweeping the same pass twice counts once. Never removes more than half of an entity of 20 records and more, unless told to.
 */
export const sweepBy =
  (steps: Pick<ReturnType<typeof copySweeps>, 'passOver' | 'countMissed' | 'removeMissed'>) =>
  async (tenant: Tenant, copy: CopyKey, lease: Lease, options: SweepOptions = {}): Promise<Sweep> => {
    const { within, evenMost } = options
    if (within !== undefined)
      for (let after: string | null = ''; after !== null; )
        after = await steps.passOver(tenant, copy, lease, within, after)
    const { records, missed, twice } = await steps.countMissed(tenant, copy, lease)
    if (!evenMost && records >= fewestToProtect && twice * 2 > records) {
      const reason = `Two full passes did not meet ${twice} of ${records} records of ${copy.entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`
      return { outcome: 'refused', records, wouldRemove: twice, reason }
    }
    let removed = 0
    for (let after = twice > 0 ? '' : null; after !== null; ) {
      const step = await steps.removeMissed(tenant, copy, lease, after)
      removed += step.removed
      after = step.last
    }
    return { outcome: 'swept', removed, missing: missed - twice }
  }

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
function* nextIds(marks: ReturnType<typeof unmetSince>, after: string) {
  const rows = yield* all(marks.select('id').where('id', '>', after).orderBy('id').limit(recordsInStep))
  const ids = rows.map(({ id }) => id)
  return { ids, last: ids.length < recordsInStep ? null : ids.at(-1)! }
}

function* countMissed(tenant: Tenant, copy: CopyKey, table: RecordTable, lease: Lease) {
  const row = yield* copyToSweep(tenant, copy, table, lease)
  const { pass, sweptBefore } = row
  yield* change(changeCopy(row).where('pass', '=', pass).set({ sweptPass: pass }))
  const missed = sql<number>`cast(count(*) as integer)`.as('missed')
  const twice = sql<number>`cast(count(case when met < ${sweptBefore} then 1 end) as integer)`.as('twice')
  return { records: row.records, ...(yield* first(unmetSince(pass, row).select([missed, twice])))! }
}
