/** Passes over an entity: how they begin, what they write, how they end, and how far they have got. */
import { parseJson, stringifyJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import { type CopyKey, type EntityState, nothingCopied, type Pass, type SyncedPage, type Written } from '../copy.ts'
import { type Lease, LeaseLost, underLease } from '../leases.ts'
import { all, change, own, type Steps } from '../sql/steps.ts'
import { db } from '../sql/tables.ts'
import type { Tenant } from '../tenant.ts'
import { tellChanges, toldChanges } from './changes.ts'
import { meet, removeRecords } from './marks.ts'
import type { CopyContext } from './record-tables.ts'
import { type CopyRow, changeCopy, copiesOf, copyToWrite, findCopy, lastErrorOf } from './rows.ts'

export function copyPasses({ queries, tables, records, layout }: CopyContext) {
  return {
    /**
     * Begins a pass, or continues the one that was cut. A cut partial pass is continued as it is when a partial one is wanted,
     * and given up when a full one is; a cut full pass is continued either way.
     */
    begin: (tenant: Tenant, copy: CopyKey, lease: Lease, full: boolean, now: string) =>
      queries.transaction(function* (): Steps<Pass> {
        const table = tables.get(copy.kind, copy.entity)
        const added = underLease(tenant, lease).select((set) => [
          'connectors.id',
          set.val(copy.entity).as('entity'),
          set.val(table.id).as('recordsTable'),
          set.val('waiting' as const).as('status'),
        ])
        const columns = ['connectorId', 'entity', 'recordsTable'] as const
        yield* change(
          db
            .insertInto('copies')
            .columns([...columns, 'status'])
            .expression(added)
            .onConflict((conflict) => conflict.columns(columns).doNothing()),
        )
        const row = yield* copyToWrite(tenant, copy, table, lease)
        const mark = parseJson(row.mark) as Json
        // A pass that ended well, or was given up, has no start any more.
        if (row.passStartedAt !== null && (row.passIsFull || !full)) {
          yield* change(changeCopy(row).set({ status: 'running' }))
          const { pass: number, passIsFull, passStartedAt: startedAt } = row
          const checkpoint = row.checkpoint === null ? null : (parseJson(row.checkpoint) as Json)
          return { number, full: Boolean(passIsFull), startedAt, continued: true, mark, checkpoint }
        }
        const number = row.pass + 1
        const { sweptPass: sweptBefore } = row
        const begun = {
          pass: number,
          passIsFull: full,
          passStartedAt: now,
          sweptBefore,
          progress: null,
          checkpoint: null,
        }
        yield* change(changeCopy(row).set({ status: 'running', ...begun }))
        return { number, full, startedAt: now, continued: false, mark, checkpoint: null }
      }),

    /**
     * Writes the page and its checkpoint in one transaction; writing it twice changes nothing. A record that is as before is
     * not written again. Every record of the page counts as met by the running pass. Throws `LeaseLost` under a lost lease.
     */
    async commit(tenant: Tenant, copy: CopyKey, lease: Lease, page: SyncedPage): Promise<Written> {
      const table = tables.get(copy.kind, copy.entity)
      // Worked out before the transaction, so that locks are held for writing alone. What is found out here about the copy
      // is still true there: nobody else can write to it as long as the lease is the newest.
      const known = await queries.run(findCopy(tenant, copy, table))
      if (known === undefined) throw new LeaseLost(copy.connectorId)
      const prepared = await records.prepare(table, known.number, page.records)
      const { ids } = prepared
      const gone = [...new Set((page.gone ?? []).map((id) => id.toWellFormed()))]
      return queries.transaction(function* () {
        const row = yield* copyToWrite(tenant, copy, table, lease)
        const { number } = row
        if (number !== known.number) throw new LeaseLost(copy.connectorId)
        const { changed, added } = yield* own((connection) => records.put(connection, table, number, prepared))
        yield* meet(layout, row, ids)
        const removed = yield* removeRecords(layout, table, number, gone)
        const { checkpoint = null, progress = null } = page
        if (changed.length > 0 || removed > 0 || checkpoint !== null || progress !== null)
          yield* change(
            changeCopy(row).set({
              records: row.records + added - removed,
              inserted: row.inserted + added,
              updated: row.updated + changed.length - added,
              deleted: row.deleted + removed,
              ...(checkpoint !== null && { checkpoint: stringifyJson(checkpoint) }),
              ...(progress !== null && { progress: JSON.stringify(progress) }),
            }),
          )
        return { changed, unchanged: ids.length - changed.length, removed }
      })
    },

    /**
     * Ends the running pass well: its checkpoint goes, `mark` stays for the next one. `complete` says whether the copy is whole
     * now; left out, it is so from the first full pass on.
     */
    finish: (tenant: Tenant, copy: CopyKey, lease: Lease, mark: Json, now: string, complete?: boolean) =>
      queries.transaction(function* () {
        const row = yield* copyToWrite(tenant, copy, tables.get(copy.kind, copy.entity), lease)
        if (row.passStartedAt === null) return
        yield* change(
          changeCopy(row).set({
            status: 'finished',
            complete: complete ?? Boolean(row.complete || row.passIsFull),
            syncedAt: row.passStartedAt,
            finishedAt: now,
            mark: stringifyJson(mark),
            passStartedAt: null,
            checkpoint: null,
            progress: null,
            lastError: null,
            ...toldChanges,
          }),
        )
        yield* tellChanges(tenant, row, now)
      }),

    /** Says that the running pass did not get to its end. Its checkpoint stays, so that the next one continues it, unless `giveUp`. */
    fail: (
      tenant: Tenant,
      copy: CopyKey,
      lease: Lease,
      error: { readonly code: string; readonly detail: string },
      now: string,
      giveUp = false,
    ) =>
      queries.transaction(function* () {
        const row = yield* copyToWrite(tenant, copy, tables.get(copy.kind, copy.entity), lease)
        yield* change(
          changeCopy(row).set({
            status: 'failed',
            complete: Boolean(row.complete && !row.passIsFull),
            lastError: JSON.stringify({ ...error, at: now }),
            ...(giveUp && { passStartedAt: null, checkpoint: null }),
            ...toldChanges,
          }),
        )
        yield* tellChanges(tenant, row, now)
      }),

    /** The state of every entity that has been begun, by name. An entity may have a copy in several tables. */
    async states(tenant: Tenant, connectorId: string): Promise<readonly EntityState[]> {
      const rows = await queries.run(all(copiesOf(tenant, connectorId).orderBy('entity').orderBy('copies.number')))
      const ids = new Set(tables.all().map(({ id }) => id))
      return [...Map.groupBy(rows, ({ entity }) => entity)].map(([entity, copies]) => {
        const mine = copies.find(({ recordsTable }) => ids.has(recordsTable))
        const state = mine === undefined ? notBegun(entity) : stateOf(mine)
        if (state.syncedAt !== null) return state
        const answering = copies.findLast((copy) => copy !== mine && copy.syncedAt !== null)
        return answering === undefined ? state : { ...state, answering: stateOf(answering) }
      })
    },
  }
}

const notBegun = (entity: string): EntityState => ({
  ...nothingCopied,
  entity,
  status: 'waiting',
  finishedAt: null,
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
  lastError: lastErrorOf(row),
  progress: row.progress === null ? null : JSON.parse(row.progress),
  mark: parseJson(row.mark) as Json,
})
