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
            .values({ connectorId: copy.connectorId, entity: copy.entity, recordsTable: table.id, status: 'waiting' })
            .onConflict((conflict) => conflict.columns(['connectorId', 'entity', 'recordsTable']).doNothing()),
        )
        const { number, pass, passStartedAt, passIsFull, mark } = yield* copyToWrite(tenant, copy, table, lease)
        const before = { mark: parseJson(mark) as Json }
        // A pass that ended well, or was given up, has no start any more.
        if (passStartedAt !== null && (passIsFull || !full)) {
          yield* change(changeCopy(number).set({ status: 'running' }))
          return { ...before, number: pass, full: Boolean(passIsFull), startedAt: passStartedAt, continued: true }
        }
        yield* forgetCheckpoints(number)
        const begun = { pass: pass + 1, passIsFull: full, passStartedAt: now, progress: null }
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
        if (row.passStartedAt === null) return
        yield* forgetCheckpoints(row.number)
        yield* change(
          changeCopy(row.number).set({
            status: 'finished',
            complete: complete ?? Boolean(row.complete || row.passIsFull),
            syncedAt: row.passStartedAt,
            passStartedAt: null,
            mark: stringifyJson(mark),
            finishedAt: now,
            errorCode: null,
            errorDetail: null,
            errorAt: null,
            progress: null,
          }),
        )
      }),

    fail: (tenant, copy, lease, error, now, giveUp = false) =>
      queries.transaction(function* () {
        const { number, complete, passIsFull } = yield* copyToWrite(tenant, copy, tableOf(copy), lease)
        if (giveUp) yield* forgetCheckpoints(number)
        yield* change(
          changeCopy(number).set({
            status: 'failed',
            complete: Boolean(complete && !passIsFull),
            errorCode: error.code,
            errorDetail: error.detail,
            errorAt: now,
            ...(giveUp && { passStartedAt: null }),
          }),
        )
      }),

    states: async (tenant, connectorId) => statesOf(await queries.run(findCopies(tenant, connectorId)), tables),
  }
}

function* readCheckpoint(tenant: Tenant, copy: CopyKey, table: RecordTable, part: string): Steps<Json> {
  const row = yield* findCopy(tenant, copy, table)
  if (row === undefined) return null
  const query = db.selectFrom('copyCheckpoints').select('value').where('copy', '=', row.number)
  const found = yield* first(query.where('partHash', '=', partHash(part)))
  return found === undefined ? null : (parseJson(found.value) as Json)
}

/** Writes where a part of the running pass got to. */
export function* writeCheckpoint(copy: number, { part, value }: Checkpoint): Steps<void> {
  const hash = partHash(part)
  if (value === null)
    yield* change(db.deleteFrom('copyCheckpoints').where('copy', '=', copy).where('partHash', '=', hash))
  else
    yield* change(
      db
        .insertInto('copyCheckpoints')
        .values({ copy, partHash: hash, value: stringifyJson(value) })
        .onConflict((conflict) =>
          conflict.columns(['copy', 'partHash']).doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
        ),
    )
}

function* forgetCheckpoints(copy: number): Steps<void> {
  yield* change(db.deleteFrom('copyCheckpoints').where('copy', '=', copy))
}

/** A part may be as long as it likes, an entry of an index not. */
const partHash = (part: string): string => createHash('sha256').update(part).digest('base64url')

/** The state of each entity, which may have a copy in several tables. */
function statesOf(rows: readonly CopyRow[], tables: EntityTables<RecordTable>): EntityState[] {
  const own = new Set(tables.all().map(({ id }) => id))
  return [...Map.groupBy(rows, ({ entity }) => entity).values()].map((copies) => {
    const mine = copies.find(({ recordsTable }) => own.has(recordsTable))
    const state = mine === undefined ? notBegun(copies[0]!.entity) : stateOf(mine)
    const answering =
      state.syncedAt === null ? copies.findLast((copy) => copy !== mine && copy.syncedAt !== null) : undefined
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
  syncedAt: row.syncedAt,
  finishedAt: row.finishedAt,
  lastError: lastErrorOf(row.errorCode, row.errorDetail, row.errorAt),
  progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
  mark: parseJson(row.mark) as Json,
})
