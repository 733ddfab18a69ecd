/**
 * One pass over an entity: opens it, reads its listings, removes missing records, and closes it with the state for
 * the next.
 */
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, errorKinds } from '../errors.ts'
import type { StreamedEntity } from './entity-order.ts'
import { closedParents } from './partitions.ts'
import { type Reading, readListings } from './read-listings.ts'
import { removeMissing } from './remove-missing.ts'
import { mostSkipped } from './skipped.ts'
import { copyOf, type PassContext, type SyncContext } from './sync-context.ts'
import { farIsDue, readSyncState, writeSyncState } from './sync-state.ts'

/** A pass that fails after a day starts over, so that its first records do not grow old. */
const longestPass = 86_400_000

/**
 * Brings an entity of the copy up to date. Returns the error of a failed pass, and throws errors that do not come
 * from the third-party system. `orphaned` says why not all parents could be read, which fails the pass too.
 */
export async function syncEntity(
  sync: SyncContext,
  entity: StreamedEntity,
  full: boolean,
  orphaned: ConexError | null,
): Promise<ConexError | null> {
  const context = await openPass(sync, entity, full)
  try {
    const reading = await readListings(context)
    if (orphaned !== null) return await failPass(context, orphaned, true)
    const doubt = context.pass.full ? await removeMissing(context, reading.skipped) : null
    await closePass(context, reading, doubt)
    return null
  } catch (error) {
    if (!(error instanceof ConexError)) throw error
    // After a transient failure, the next run continues this pass. After any other, it starts a new one.
    const stale = sync.now() - context.reach.startedAt > longestPass
    return failPass(context, error, !errorKinds[error.code].retry || error instanceof UnsoundList || stale)
  }
}

async function openPass(sync: SyncContext, { entity, stream }: StreamedEntity, full: boolean): Promise<PassContext> {
  const copy = copyOf(sync, entity)
  const pass = await sync.copies.begin(sync.tenant, copy, sync.lease, full, timestamp(sync))
  const last = readSyncState(pass.mark)
  const startedAt = Date.parse(pass.startedAt)
  const since = pass.full || last.since === null ? null : Date.parse(last.since)
  const far = pass.full || farIsDue(stream, last, startedAt)
  const searchable = sync.kind.entities[entity]!.searchable!
  const reach = { startedAt, since, far, startDate: sync.startDate, settings: sync.settings ?? {} }
  const closed = await closedParents({ ...sync, stream, reach })
  return { ...sync, entity, stream, searchable, copy, pass, last, reach, closed }
}

async function failPass(context: PassContext, error: ConexError, giveUp: boolean): Promise<ConexError> {
  const { copies, tenant, copy, lease } = context
  await copies.fail(tenant, copy, lease, { code: error.code, detail: error.message }, timestamp(context), giveUp)
  return error
}

/** `doubt` says why the next pass must read everything again. */
async function closePass(context: PassContext, { skipped, warnings }: Reading, doubt: string | null): Promise<void> {
  const { copies, tenant, copy, lease, pass, last, reach } = context
  const state = writeSyncState({
    since: pass.startedAt,
    // The state cannot name everything that was skipped, so the next pass must read everything.
    full: skipped.length > mostSkipped ? null : pass.full ? pass.startedAt : last.full,
    far: reach.far ? pass.startedAt : last.far,
    startDate: pass.full ? reach.startDate : last.startDate,
    skipped: skipped.slice(0, mostSkipped),
    doubted: pass.full ? doubt !== null : last.doubted,
    warnings: doubt === null ? warnings : [doubt, ...warnings],
  })
  const complete = skipped.length > 0 ? false : last.skipped.length > 0 ? true : undefined
  await copies.finish(tenant, copy, lease, state, timestamp(context), complete)
}

const timestamp = ({ now }: Pick<SyncContext, 'now'>): string => new Date(now()).toISOString()
