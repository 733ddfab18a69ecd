/** Removes what full passes no longer met. */
import { type ExpressionBuilder, sql } from 'kysely'
import { testOf } from '../../search/evaluate.ts'
import type { Condition } from '../../search/query.ts'
import type { CopyKey, CopyStore, Sweep, SweepOptions } from '../copy.ts'
import type { Lease } from '../leases.ts'
import type { Tenant } from '../tenant.ts'
import { type CopyRow, changeCopy, copyToWrite, findCopy } from './copy-rows.ts'
import type { RecordTable } from './record-table.ts'
import type { CopyContext } from './record-tables.ts'
import { all, change, first, own, type Steps } from './steps.ts'
import { db, type Tables } from './tables.ts'

/** Smaller entities may lose most of their records in an ordinary week. */
const fewestToProtect = 20

/** Removing so many holds locks for some milliseconds, in which nobody else writes to a SQLite file. */
const recordsInStep = 200

export type Refused = Extract<Sweep, { readonly outcome: 'refused' }>

export interface SweepStep {
  readonly removed: number
  readonly missing: number
  /** The id after which the next step goes on; null when none is left. */
  readonly last: string | null
}

interface Unmet {
  readonly id: string
  /** Another full pass has missed it before. */
  readonly again: boolean
}

interface UnmetPage {
  readonly unmet: readonly Unmet[]
  readonly last: string | null
}

export interface CopySweeps extends Pick<CopyStore, 'knownIds' | 'unmetIds'> {
  /** One step of a sweep: the unmet records by id, after the given one. */
  sweepStep(
    tenant: Tenant,
    copy: CopyKey,
    lease: Lease,
    options: SweepOptions | undefined,
    after: string | null,
  ): Promise<SweepStep | Refused>
}

export function copySweeps({ queries, tables, records }: CopyContext): CopySweeps {
  const tableOf = ({ kind, entity }: CopyKey): RecordTable => tables.get(kind, entity)

  /** The next unmet records of those that the pass covered, and the id after which more may come. */
  function* unmetAfter(
    after: string,
    { number, pass }: CopyRow,
    table: RecordTable,
    within: Condition | undefined,
  ): Steps<UnmetPage> {
    const marks = db.selectFrom('copyMarks').where(isUnmet(number, pass)).where('id', '>', after)
    const rows = yield* all(marks.select('id').select(missedAgain(pass).as('again')).orderBy('id').limit(recordsInStep))
    const unmet = rows.map(({ id, again }) => ({ id, again: Boolean(again) }))
    const last = rows.length < recordsInStep ? null : rows.at(-1)!.id
    if (within === undefined) return { unmet, last }
    const ids = unmet.map(({ id }) => id)
    const read = yield* own((connection) => records.read(connection, table, number, ids))
    const test = testOf(within)
    const covered = new Set(read.filter(({ data }) => test(data)).map(({ id }) => id))
    return { unmet: unmet.filter(({ id }) => covered.has(id)), last }
  }

  /** How many records a sweep would remove. */
  function* countDoomed(row: CopyRow, table: RecordTable, within: Condition | undefined): Steps<number> {
    if (within === undefined) {
      // The marks alone tell, and the records, which are far larger, are not read.
      const marks = db.selectFrom('copyMarks').where(isUnmet(row.number, row.pass)).where(missedAgain(row.pass))
      return Number((yield* first(marks.select((count) => count.fn.countAll().as('n'))))!.n)
    }
    let count = 0
    for (let next: UnmetPage = { unmet: [], last: '' }; next.last !== null; ) {
      next = yield* unmetAfter(next.last, row, table, within)
      count += next.unmet.filter(({ again }) => again).length
    }
    return count
  }

  function* unmetIds(tenant: Tenant, copy: CopyKey, limit: number, within: Condition | undefined): Steps<string[]> {
    const table = tableOf(copy)
    const row = yield* findCopy(tenant, copy, table)
    const ids: string[] = []
    if (row === undefined || !isFull(row)) return ids
    for (let next: UnmetPage = { unmet: [], last: '' }; next.last !== null && ids.length < limit; ) {
      next = yield* unmetAfter(next.last, row, table, within)
      ids.push(...next.unmet.map(({ id }) => id))
    }
    return ids.slice(0, limit)
  }

  return {
    knownIds: (tenant, copy, limit, after) => queries.run(knownIds(tenant, copy, tableOf(copy), limit, after ?? '')),

    unmetIds: (tenant, copy, limit, within) => queries.run(unmetIds(tenant, copy, limit, within)),

    async sweepStep(tenant, copy, lease, options = {}, after) {
      const table = tableOf(copy)
      if (after === null && !options.evenMost) {
        // Counted outside of the transaction that removes, so that nothing is locked meanwhile.
        const row = await queries.transaction(() => copyToSweep(tenant, copy, table, lease))
        const { records } = row
        const wouldRemove = records < fewestToProtect ? 0 : await queries.run(countDoomed(row, table, options.within))
        if (wouldRemove * 2 > records) return refused(copy, records, wouldRemove)
      }
      return queries.transaction(function* () {
        const row = yield* copyToSweep(tenant, copy, table, lease)
        const { number, pass } = row
        const { unmet, last } = yield* unmetAfter(after ?? '', row, table, options.within)
        const idsOf = (again: boolean) => unmet.filter((one) => one.again === again).map(({ id }) => id)
        const [gone, missing] = [idsOf(true), idsOf(false)]
        const removed = yield* own((connection) => records.remove(connection, table, number, gone))
        if (removed > 0) yield* change(changeCopy(number).set((set) => ({ records: set('records', '-', removed) })))
        yield* own((connection) => records.miss(connection, number, pass, missing))
        return { removed, missing: missing.length, last }
      })
    },
  }
}

function* knownIds(tenant: Tenant, copy: CopyKey, table: RecordTable, limit: number, after: string): Steps<string[]> {
  const row = yield* findCopy(tenant, copy, table)
  if (row === undefined) return []
  const rows = yield* all(sql<{ id: string }>`
    select _id as id from ${sql.raw(table.name)} where _copy = ${row.number} and _id > ${after} order by _id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Sweeps step by step, so that others get to write in between. */
export function sweepBy(step: CopySweeps['sweepStep']): CopyStore['sweep'] {
  return async (tenant, copy, lease, options) => {
    let [removed, missing] = [0, 0]
    for (let after: string | null = null; ; ) {
      const done: SweepStep | Refused = await step(tenant, copy, lease, options, after)
      if ('outcome' in done) return done
      removed += done.removed
      missing += done.missing
      if (done.last === null) return { outcome: 'swept', removed, missing }
      after = done.last
    }
  }
}

function* copyToSweep(tenant: Tenant, copy: CopyKey, table: RecordTable, lease: Lease): Steps<CopyRow> {
  const row = yield* copyToWrite(tenant, copy, table, lease)
  if (!isFull(row)) throw new Error('Only a full pass that is running can be swept.')
  return row
}

const isFull = ({ passStartedAt, passIsFull }: CopyRow): boolean => passStartedAt !== null && Boolean(passIsFull)

const isUnmet = (copy: number, pass: number) => (where: ExpressionBuilder<Tables, 'copyMarks'>) =>
  where.and([where('copy', '=', copy), where('met', '<', pass)])

/** Missed by a full pass before, and now by this one; counting this one twice changes nothing. */
const missedAgain = (pass: number) => sql<boolean>`(misses >= 2 or (misses = 1 and missed_by <> ${pass}))`

const refused = ({ entity }: CopyKey, records: number, wouldRemove: number): Refused => ({
  outcome: 'refused',
  records,
  wouldRemove,
  reason: `Two full passes did not meet ${wouldRemove} of ${records} records of ${entity}; nothing was removed, because so many are more often a fault than deleted. Check what the credentials may see.`,
})
