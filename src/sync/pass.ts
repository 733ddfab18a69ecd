/** One pass over one entity: every part of every listing, page by page, each written together with where to go on. */

import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Listing, Stream, StreamedRecord } from '../catalog/stream.ts'
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, errorKinds } from '../errors.ts'
import type { Json } from '../search/query.ts'
import type { Pass, ReadRecord } from '../store/copy.ts'
import { countParts, type Part, partsOf } from './partitions.ts'
import { createPassWarnings } from './pass-warnings.ts'
import { createProgress, nothingYet, type Reached } from './progress.ts'
import { type PageSizes, readPages } from './read-pages.ts'
import { removeMissing } from './remove-missing.ts'
import { createSetbacks } from './setbacks.ts'
import { mostSkipped, type Skipped, withSkipped } from './skipped.ts'
import { keyOf, type SyncContext } from './sync-context.ts'
import { farIsDue, readSyncState, writeSyncState } from './sync-state.ts'
import type { Reach, Span } from './time-windows.ts'

/** Where a pass has got to; kept with every page. */
interface Position {
  readonly listing: number
  readonly parent: string
  readonly nth: number
  /** What of that part is left, its stretch of time or null; empty when it was read to its end. */
  readonly left: readonly (Span | null)[]
  /** The next page of the first that is left; null for its first one. */
  readonly next: Params | null
  /** Lists that were read to their end. */
  readonly read: number
  readonly skipped: readonly Skipped[]
  readonly reached: Reached
  /** By which start date its parts are counted. */
  readonly startDate: string | null
}

/** A pass that got no further for so long begins anew, so that what it read before does not grow old. */
const longestPass = 86_400_000

/**
 * Brings an entity of the copy up to date. Gives the error when it did not get to its end, and throws what is not about the
 * third-party system. `orphaned` says that parents could not all be read, so that the pass is not a whole one either.
 */
export async function syncEntity(
  run: SyncContext,
  entity: string,
  stream: Stream,
  full: boolean,
  orphaned: { readonly parent: string; readonly error: ConexError } | null,
): Promise<ConexError | null> {
  const { tenant, copies, lease } = run
  const key = keyOf(run, entity)
  const timestamp = (): string => new Date(run.now()).toISOString()
  const fail = async (error: ConexError, giveUp: boolean): Promise<ConexError> => {
    await copies.fail(tenant, key, lease, { code: error.code, detail: error.message }, timestamp(), giveUp)
    return error
  }

  const pass = await copies.begin(tenant, key, lease, full, timestamp())
  try {
    const read = await readListings(run, entity, stream, pass)
    // Nothing at all could be read.
    if (read.problem !== null && read.parts === 0) throw read.problem
    if (orphaned !== null) {
      const detail = `Not all ${orphaned.parent} could be read, so ${entity} may lack what belongs to them: ${orphaned.error.message}`
      return await fail(new ConexError(orphaned.error.code, detail), true)
    }
    const last = readSyncState(pass.mark)
    const removal = pass.full ? await removeMissing(run, entity, stream, pass, read.skipped, last.doubted) : null
    if (removal?.refused) return await fail(new ConexError('upstream_invalid_response', removal.refused), true)
    const doubt = removal?.doubt ?? null
    const mark = writeSyncState({
      since: pass.startedAt,
      // More was skipped than is known one by one, so that everything has to be read again.
      full: read.skipped.length > mostSkipped ? null : pass.full ? pass.startedAt : last.full,
      far: read.far ? pass.startedAt : last.far,
      startDate: pass.full ? run.startDate : last.startDate,
      skipped: read.skipped.slice(0, mostSkipped),
      doubted: pass.full ? doubt !== null : last.doubted,
      warnings: doubt === null ? read.warnings : [doubt, ...read.warnings],
    })
    const complete = read.skipped.length > 0 ? false : last.skipped.length > 0 ? true : undefined
    await copies.finish(tenant, key, lease, mark, timestamp(), complete)
    return null
  } catch (error) {
    if (!(error instanceof ConexError)) throw error
    // What may pass is gone on with; after anything else the next pass begins anew.
    const stale = run.now() - Date.parse(pass.startedAt) > longestPass
    return fail(error, !errorKinds[error.code].retry || error instanceof UnsoundList || stale)
  }
}

interface ReadListings {
  readonly parts: number
  /** Whether it looked back as far as any but a full pass does. */
  readonly far: boolean
  readonly skipped: readonly Skipped[]
  /** The first thing that could not be read. */
  readonly problem: ConexError | null
  readonly warnings: readonly string[]
}

async function readListings(run: SyncContext, entity: string, stream: Stream, pass: Pass): Promise<ReadListings> {
  const { tenant, copies, lease } = run
  const key = keyOf(run, entity)
  const mark = readSyncState(pass.mark)
  const startedAt = Date.parse(pass.startedAt)
  const reach: Reach = {
    startedAt,
    since: pass.full || mark.since === null ? null : Date.parse(mark.since),
    far: pass.full || farIsDue(stream, mark, startedAt),
    startDate: run.startDate,
  }
  const beginning: Position = {
    ...{ listing: 0, parent: '', nth: 0, left: [], next: null, read: 0, reached: nothingYet },
    // What only a full pass comes by is still not read.
    skipped: pass.full ? [] : mark.skipped.filter(({ listing }) => listing === null),
    startDate: run.startDate,
  }
  const left = pass.continued ? ((await copies.checkpoint(tenant, key, '')) as Position | null) : null
  // Positions of older versions know nothing of what is left of a part.
  const kept = left?.startDate === run.startDate && left.left !== undefined ? left : null
  let position: Position = kept ?? beginning
  const resumed = kept !== null
  const notes = createPassWarnings()
  const sizes: PageSizes = new Map()
  const setbacks = createSetbacks(run.reader.answers)
  let problem: ConexError | null = null
  const pagesOf = (list: ListOperation, first: Params, start: Params | null) =>
    readPages(run, list, first, start, sizes, stream.identity, setbacks)
  /** Records below which was looked already; a record can be in several lists. */
  const looked = new Set<string>()
  const progress = createProgress(run, key, position.reached)

  /** What is no answer of the system at all, a sign-in page say, is skipped only by a run that goes on with the pass. */
  const isForNextRun = (error: unknown): boolean =>
    !pass.continued &&
    error instanceof ConexError &&
    error.code === 'upstream_invalid_response' &&
    !(error instanceof UnsoundList)

  async function write(records: readonly StreamedRecord[], next: Omit<Position, 'reached'> | null): Promise<void> {
    const page = { records: records.flatMap(asRead) }
    progress.add(page.records.length)
    if (next !== null) position = { ...next, reached: progress.reached() }
    await copies.commit(
      tenant,
      key,
      lease,
      page,
      next === null ? null : { part: '', value: position as unknown as Json },
    )
    await progress.tell()
  }

  function asRead(record: StreamedRecord): ReadRecord[] {
    const id = stream.identity(record)
    if (id !== null && Buffer.byteLength(id) <= longestId) return [{ id, data: record }]
    notes.lostRecord()
    return []
  }

  /** Reads what hangs on the records of a page, before the page itself is written: a pass that was cut finds it again. */
  async function readBelow(records: readonly StreamedRecord[], listing: Listing): Promise<void> {
    const { below } = listing
    if (below === undefined) return
    for (const record of records) {
      const id = stream.identity(record)
      if (id === null || looked.has(id) || !below.has(record)) continue
      looked.add(id)
      try {
        for await (const page of pagesOf(below.list, below.params(id), null)) {
          notes.add(page.warnings)
          await readBelow(page.records, listing)
          await write(page.records, null)
        }
        const isOther = ({ parent, listing }: Skipped): boolean => listing !== null || parent !== id
        position = { ...position, skipped: position.skipped.filter(isOther) }
      } catch (error) {
        if (isForNextRun(error)) throw error
        setbacks.below(error)
        skip(error as ConexError, { parent: id, listing: null, span: null }, listing)
      }
    }
  }

  function skip(error: ConexError, what: Pick<Skipped, 'parent' | 'listing' | 'span'>, { windows }: Listing): void {
    problem ??= error
    const { span } = what
    const at = {
      from: span === null ? null : windows!.write(span.from),
      to: span === null || span.to === null ? null : windows!.write(span.to),
    }
    const one = { ...what, ...at, code: error.code, detail: error.message }
    position = { ...position, skipped: withSkipped(position.skipped, one) }
  }

  /** Gives the error that costs the rest of the parent, or null. */
  async function readPart(
    listing: Listing,
    number: number,
    part: Part,
    cut: Position | null,
  ): Promise<ConexError | null> {
    const parent = part.parent?.id ?? null
    const at = { listing: number, parent: parent ?? '', nth: part.nth, startDate: run.startDate }
    const isLast = number === stream.listings.length - 1 && part.ends
    let left = cut?.left ?? [part.span]
    let start = cut?.next ?? null
    let lost: ConexError | null = null
    if (cut === null) progress.partBegins()
    while (left.length > 0) {
      const [span, ...others] = left as [Span | null, ...(Span | null)[]]
      try {
        for await (const page of pagesOf(listing.list, span === null ? part.params : part.within(span), start)) {
          notes.add(page.warnings)
          await readBelow(page.records, listing)
          // What hangs below is in no count of the system's.
          if (isLast && listing.below === undefined) progress.lastPartHolds(page.total)
          if (page.ends) left = others
          if (left.length === 0 && part.ends) progress.partDone()
          const { read, skipped } = position
          await write(page.records, { ...at, left, next: page.next, read: page.ends ? read + 1 : read, skipped })
        }
      } catch (error) {
        // Where there is nothing else to read, the pass has failed.
        if ((parent === null && span === null) || isForNextRun(error)) throw error
        left = others
        if (await isGone(run, listing, part, error)) setbacks.came()
        else {
          const verdict = await setbacks.list(error)
          const known = error as ConexError
          const halves = verdict === 'split' && span !== null ? part.halves(span) : null
          if (halves !== null) left = [...others, ...halves]
          else skip(known, { parent, listing: number, span }, listing)
          if (verdict === 'parent') {
            lost = known
            for (const span of others) skip(lost, { parent, listing: number, span }, listing)
            left = []
          } else if (span === null) setbacks.parentLost(known)
        }
        if (left.length === 0 && part.ends) progress.partDone()
        // As long as nothing could be read, the next run goes on where this one began.
        const { read, skipped } = position
        if (read > 0) await write([], { ...at, left, next: null, read, skipped })
      }
      start = null
    }
    return lost
  }

  for (let number = position.listing; number < stream.listings.length; number++) {
    const listing = stream.listings[number]!
    const here = number === position.listing && resumed
    const start = here ? position : { ...beginning, listing: number }
    const cut = here && start.left.length > 0 ? start : null
    // A part that was read to its end is done; one that was cut goes on with its next page.
    const from = here ? { parent: start.parent, nth: cut === null ? start.nth + 1 : start.nth } : start
    const owed = reach.since === null ? [] : mark.skipped.filter(({ listing }) => listing === number)
    let lost: { readonly parent: Part['parent']; readonly error: ConexError } | null = null
    if (!here) progress.expect(await countParts(run, listing, reach))
    for await (const part of partsOf(run, listing, reach, from, owed)) {
      if (lost !== null && lost.parent === part.parent) {
        skip(lost.error, { parent: part.parent?.id ?? null, listing: number, span: part.span }, listing)
        continue
      }
      const isCut = cut !== null && part.nth === from.nth && (part.parent?.id ?? '') === from.parent
      const error = await readPart(listing, number, part, isCut ? cut : null)
      lost = error && { parent: part.parent, error }
      if (error !== null) setbacks.parentLost(error)
    }
  }
  return { parts: position.read, far: reach.far, skipped: position.skipped, problem, warnings: notes.all() }
}

/** Whether the system has the parent no more, so that a refusal of its list hides nothing. */
async function isGone(run: SyncContext, { over }: Listing, { parent }: Part, refusal: unknown): Promise<boolean> {
  const confirm = over && run.kind.entities[over.entity]?.sync?.confirm
  if (confirm === undefined || parent === null) return false
  if (!(refusal instanceof ConexError) || refusal.code !== 'upstream_refused') return false
  try {
    await run.reader.record(confirm.get, { [confirm.param]: parent.id })
    return false
  } catch (error) {
    if (error instanceof ConexError) return error.code === 'record_not_found'
    throw error
  }
}

/** In bytes of UTF-8. The key of a PostgreSQL index holds little more, and one such record would end every pass. */
const longestId = 1_000
