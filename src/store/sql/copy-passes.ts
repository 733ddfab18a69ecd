/** Passes over an entity: how they begin, how far they have got, how they end. */
import { createHash } from 'node:crypto'
import { parseJson, stringifyJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import type { Checkpoint, CopyKey, CopyStore, EntityState, Progress } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import type { Tenant } from '../tenant.ts'
import { type CopyRow, changeCopy, checkLease, copyToWrite, findCopies, findCopy, lastErrorOf } from './copy-rows.ts'
import type { RecordTable } from './record-table.ts'
import type { CopyContext } from './record-tables.ts'
import { change, first, type Steps } from './steps.ts'
import { db } from './tables.ts'

export function copyPasses({
  queries,
  tables,
}: CopyContext): Pick<CopyStore, 'begin' | 'checkpoint' | 'report' | 'finish' | 'fail' | 'states'> {
  const tableOf = ({ kind, entity }: CopyKey): RecordTable => tables.get(kind, entity)

  return {
    begin: (tenant, copy, lease, full, now) =>
      queries.transaction(function* () {
        yield* checkLease(tenant, lease)
        const table = tableOf(copy)
        yield* change(
          db
            .insertInto('copies')
            .values({ connector_id: copy.connectorId, entity: copy.entity, records_table: table.id, status: 'waiting' })
            .onConflict((conflict) => conflict.columns(['connector_id', 'entity', 'records_table']).doNothing()),
        )
        const { number, pass, pass_started_at, pass_is_full, mark } = yield* copyToWrite(tenant, copy, table, lease)
        const before = { mark: parseJson(mark) as Json }
        // A pass that ended well, or was given up, has no start any more.
        if (pass_started_at !== null && (pass_is_full || !full)) {
          yield* change(changeCopy(number).set({ status: 'running' }))
          return { ...before, number: pass, full: Boolean(pass_is_full), startedAt: pass_started_at, continued: true }
        }
        yield* forgetCheckpoints(number)
        const begun = { pass: pass + 1, pass_is_full: full, pass_started_at: now, progress: null }
        yield* change(changeCopy(number).set({ status: 'running', ...begun }))
        return { ...before, number: pass + 1, full, startedAt: now, continued: false }
      }),

    checkpoint: (tenant, copy, part) => queries.run(readCheckpoint(tenant, copy, tableOf(copy), part)),

    report: (tenant, copy, lease, progress) =>
      queries.transaction(function* () {
        const { number } = yield* copyToWrite(tenant, copy, tableOf(copy), lease)
        yield* change(changeCopy(number).set({ progress: JSON.stringify(progress) }))
      }),

    finish: (tenant, copy, lease, mark, now, complete) =>
      queries.transaction(function* () {
        const row = yield* copyToWrite(tenant, copy, tableOf(copy), lease)
        if (row.pass_started_at === null) return
        yield* forgetCheckpoints(row.number)
        yield* change(
          changeCopy(row.number).set({
            status: 'finished',
            complete: complete ?? Boolean(row.complete || row.pass_is_full),
            synced_at: row.pass_started_at,
            pass_started_at: null,
            mark: stringifyJson(mark),
            finished_at: now,
            error_code: null,
            error_detail: null,
            error_at: null,
            progress: null,
          }),
        )
      }),

    fail: (tenant, copy, lease, error, now, giveUp = false) =>
      queries.transaction(function* () {
        const { number, complete, pass_is_full } = yield* copyToWrite(tenant, copy, tableOf(copy), lease)
        if (giveUp) yield* forgetCheckpoints(number)
        yield* change(
          changeCopy(number).set({
            status: 'failed',
            complete: Boolean(complete && !pass_is_full),
            error_code: error.code,
            error_detail: error.detail,
            error_at: now,
            ...(giveUp && { pass_started_at: null }),
          }),
        )
      }),

    states: async (tenant, connectorId) => statesOf(await queries.run(findCopies(tenant, connectorId)), tables),
  }
}

function* readCheckpoint(tenant: Tenant, copy: CopyKey, table: RecordTable, part: string): Steps<Json> {
  const row = yield* findCopy(tenant, copy, table)
  if (row === undefined) return null
  const query = db.selectFrom('copy_checkpoints').select('value').where('copy', '=', row.number)
  const found = yield* first(query.where('part_hash', '=', partHash(part)))
  return found === undefined ? null : (parseJson(found.value) as Json)
}

/** Writes where a part of the running pass got to. */
export function* writeCheckpoint(copy: number, { part, value }: Checkpoint): Steps<void> {
  const part_hash = partHash(part)
  if (value === null)
    yield* change(db.deleteFrom('copy_checkpoints').where('copy', '=', copy).where('part_hash', '=', part_hash))
  else
    yield* change(
      db
        .insertInto('copy_checkpoints')
        .values({ copy, part_hash, value: stringifyJson(value) })
        .onConflict((conflict) =>
          conflict.columns(['copy', 'part_hash']).doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
        ),
    )
}

function* forgetCheckpoints(copy: number): Steps<void> {
  yield* change(db.deleteFrom('copy_checkpoints').where('copy', '=', copy))
}

/** A part may be as long as it likes, an entry of an index not. */
const partHash = (part: string): string => createHash('sha256').update(part).digest('base64url')

/** The state of each entity, which may have a copy in several tables. */
function statesOf(rows: readonly CopyRow[], tables: EntityTables<RecordTable>): EntityState[] {
  const own = new Set(tables.all().map(({ id }) => id))
  return [...Map.groupBy(rows, ({ entity }) => entity).values()].map((copies) => {
    const mine = copies.find(({ records_table }) => own.has(records_table))
    const state = mine === undefined ? notBegun(copies[0]!.entity) : stateOf(mine)
    const answering =
      state.syncedAt === null ? copies.findLast((copy) => copy !== mine && copy.synced_at !== null) : undefined
    return answering === undefined ? state : { ...state, answering: stateOf(answering) }
  })
}

const notBegun = (entity: string): EntityState => ({
  entity,
  status: 'waiting',
  records: 0,
  complete: false,
  syncedAt: null,
  finishedAt: null,
  lastError: null,
  progress: null,
  mark: null,
})

const stateOf = (row: CopyRow): EntityState => ({
  entity: row.entity,
  status: row.status,
  records: row.records,
  complete: Boolean(row.complete),
  syncedAt: row.synced_at,
  finishedAt: row.finished_at,
  lastError: lastErrorOf(row),
  progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
  mark: parseJson(row.mark) as Json,
})
