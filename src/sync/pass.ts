/** One pass over one entity: every part of every listing, page by page, each written together with where to go on. */

import type { Params } from '../catalog/rules.ts'
import type { Listing, Stream, StreamedRecord } from '../catalog/stream.ts'
import { EndlessList } from '../engine/paging/progress.ts'
import { ConexError, errorKinds } from '../errors.ts'
import type { Json } from '../search/query.ts'
import type { Pass, ReadRecord } from '../store/copy.ts'
import { farIsDue, readMark, type Skipped, writeMark } from './mark.ts'
import { createNotes } from './notes.ts'
import { countParts, type Part, partsOf, type Reach } from './parts.ts'
import { createProgress, nothingYet, type Reached } from './progress.ts'
import { type PageSizes, readPages } from './read-pages.ts'
import { removeMissing } from './remove-missing.ts'
import { keyOf, type Run } from './run.ts'

/** Where a pass has got to; kept with every page. */
interface Position {
  readonly listing: number
  readonly parent: string
  readonly nth: number
  /** The next page of that part; null when it was read to its end. */
  readonly next: Params | null
  /** Parts that were read to their end. */
  readonly read: number
  readonly skipped: readonly Skipped[]
  readonly reached: Reached
  /** By which start date its parts are counted. */
  readonly startDate: string | null
}

/** More is not told one by one; the copy then keeps what it has. */
export const mostSkipped = 30

/**
 * Brings an entity of the copy up to date. Gives the error when it did not get to its end, and throws what is not about the
 * third-party system. `orphaned` says that parents could not all be read, so that the pass is not a whole one either.
 */
export async function syncEntity(
  run: Run,
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
    const [problem] = read.skipped
    if (problem !== undefined && read.parts === 0)
      return await fail(new ConexError(problem.code as ConexError['code'], problem.detail), true)
    if (orphaned !== null) {
      const detail = `Not all ${orphaned.parent} could be read, so ${entity} may lack what belongs to them: ${orphaned.error.message}`
      return await fail(new ConexError(orphaned.error.code, detail), true)
    }
    if (pass.full) {
      const refused = await removeMissing(run, entity, stream, pass, read.skipped)
      if (refused !== null) return await fail(new ConexError('upstream_invalid_response', refused), true)
    }
    const last = readMark(pass.mark)
    const mark = writeMark({
      since: pass.startedAt,
      full: pass.full ? pass.startedAt : last.full,
      far: read.far ? pass.startedAt : last.far,
      startDate: pass.full ? run.startDate : last.startDate,
      skipped: read.skipped.slice(0, mostSkipped),
      warnings: read.warnings,
    })
    await copies.finish(tenant, key, lease, mark, timestamp())
    return null
  } catch (error) {
    if (!(error instanceof ConexError)) throw error
    // What may pass is gone on with; after anything else the next pass begins anew.
    return fail(error, !errorKinds[error.code].retry || error instanceof EndlessList)
  }
}

interface ReadListings {
  readonly parts: number
  /** Whether it looked back as far as any but a full pass does. */
  readonly far: boolean
  readonly skipped: readonly Skipped[]
  readonly warnings: readonly string[]
}

async function readListings(run: Run, entity: string, stream: Stream, pass: Pass): Promise<ReadListings> {
  const { tenant, copies, lease } = run
  const key = keyOf(run, entity)
  const mark = readMark(pass.mark)
  const startedAt = Date.parse(pass.startedAt)
  const reach: Reach = {
    startedAt,
    since: pass.full || mark.since === null ? null : Date.parse(mark.since),
    far: pass.full || farIsDue(stream, mark, startedAt),
    startDate: run.startDate,
  }
  const beginning: Position = {
    ...{ listing: 0, parent: '', nth: 0, next: null, read: 0, skipped: [], reached: nothingYet },
    startDate: run.startDate,
  }
  const left = pass.continued ? ((await copies.checkpoint(tenant, key, '')) as Position | null) : null
  const kept = left?.startDate === run.startDate ? left : null
  let position: Position = kept ?? beginning
  const resumed = kept !== null
  const notes = createNotes()
  const sizes: PageSizes = new Map()
  /** Records below which was looked already; a record can be in several lists. */
  const looked = new Set<string>()
  const progress = createProgress(run, key, position.reached)

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
        for await (const page of readPages(run, below.list, below.params(id), null, sizes, stream.identity)) {
          notes.add(page.warnings)
          await readBelow(page.records, listing)
          await write(page.records, null)
        }
      } catch (error) {
        skip(error, id)
      }
    }
  }

  /** Takes a refusal that is about one parent alone; anything else goes on up. */
  function skip(error: unknown, parent: string): void {
    if (!(error instanceof ConexError) || !aboutOneParent.has(error.code)) throw error
    if (position.skipped.length <= mostSkipped) {
      const skipped = [...position.skipped, { parent, code: error.code, detail: error.message }]
      position = { ...position, skipped }
    }
  }

  async function readPart(listing: Listing, number: number, part: Part, start: Params | null): Promise<void> {
    const at = { listing: number, parent: part.parent?.id ?? '', nth: part.nth, startDate: run.startDate }
    const isLast = number === stream.listings.length - 1 && part.ends
    if (start === null) progress.partBegins()
    try {
      for await (const page of readPages(run, listing.list, part.params, start, sizes, stream.identity)) {
        notes.add(page.warnings)
        await readBelow(page.records, listing)
        // What hangs below is in no count of the system's.
        if (isLast && listing.below === undefined) progress.lastPartHolds(page.total)
        if (page.next === null && part.ends) progress.partDone()
        const { read, skipped } = position
        await write(page.records, { ...at, next: page.next, read: page.next === null ? read + 1 : read, skipped })
      }
    } catch (error) {
      if (part.parent === null) throw error
      skip(error, part.parent.id)
      if (part.ends) progress.partDone()
      await write([], { ...at, next: null, read: position.read, skipped: position.skipped })
    }
  }

  for (let number = position.listing; number < stream.listings.length; number++) {
    const listing = stream.listings[number]!
    const here = number === position.listing && resumed
    const start = here ? position : { ...beginning, listing: number }
    const cut = start.next
    // A part that was read to its end is done; one that was cut goes on with its next page.
    const from = here ? { parent: start.parent, nth: cut === null ? start.nth + 1 : start.nth } : start
    if (!here) progress.expect(await countParts(run, listing, reach))
    for await (const part of partsOf(run, listing, reach, from)) {
      const isCut = cut !== null && part.nth === from.nth && (part.parent?.id ?? '') === from.parent
      await readPart(listing, number, part, isCut ? cut : null)
    }
  }
  return { parts: position.read, far: reach.far, skipped: position.skipped, warnings: notes.all() }
}

/** In bytes of UTF-8. The key of a PostgreSQL index holds little more, and one such record would end every pass. */
const longestId = 1_000

/** Refusals that one parent may meet and others not; one that is gone is refused as something that the params name. */
const aboutOneParent: ReadonlySet<string> = new Set([
  'upstream_refused',
  'upstream_forbidden',
  'upstream_plan_required',
])
