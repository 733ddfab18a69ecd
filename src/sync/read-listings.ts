/** Reads the listings of an entity, and writes each page together with the checkpoint behind it. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Listing, StreamedRecord } from '../catalog/stream.ts'
import { ConexError } from '../errors.ts'
import type { Json } from '../search/query.ts'
import { type Checkpoint, openCheckpoint, type Place } from './checkpoint.ts'
import { countPartitions, type Partition, partitionsOf, type Slice } from './partitions.ts'
import { PassWarnings } from './pass-warnings.ts'
import { type PageSizes, type ReadPage, readPages } from './read-pages.ts'
import { Setbacks, type Verdict } from './setbacks.ts'
import { type Skipped, withSkipped } from './skipped.ts'
import type { PassContext } from './sync-context.ts'

export interface Reading {
  readonly skipped: readonly Skipped[]
  readonly warnings: readonly string[]
}

/** In bytes of UTF-8. The key of a PostgreSQL index holds little more, and one such record would end every pass. */
const longestId = 1_000

/** Throws where nothing at all could be read, and what ends the pass. */
export async function readListings(context: PassContext): Promise<Reading> {
  return new ListingsReader(context, openCheckpoint(context)).read()
}

class ListingsReader {
  readonly #context: PassContext
  readonly #checkpoint: Checkpoint
  readonly #setbacks: Setbacks
  readonly #warnings = new PassWarnings()
  readonly #sizes: PageSizes = new Map()
  /** Records whose lists below were read already, since a record can be in several lists. */
  readonly #looked = new Set<string>()
  /** The first failure for which something was skipped. */
  #problem: ConexError | null = null
  #total: number | null = null

  constructor(context: PassContext, checkpoint: Checkpoint) {
    this.#context = context
    this.#checkpoint = checkpoint
    this.#setbacks = new Setbacks(context.reader.answers, context.pass.continued)
  }

  async read(): Promise<Reading> {
    const { stream, last, reach } = this.#context
    const { place } = this.#checkpoint
    for (const [number, listing] of stream.listings.entries()) {
      if (place !== null && number < place.listing) continue
      const cut = place?.listing === number ? place : null
      if (cut === null) this.#expect(await countPartitions(this.#context, listing))
      const owed = reach.since === null ? [] : last.skipped.filter((one) => one.listing === number)
      for await (const partition of partitionsOf(this.#context, listing, cut?.parent ?? '', owed)) {
        const parent = partition.parent?.id ?? null
        const beginning = { listing: number, parent, left: [...partition.slices], next: null }
        await this.#readPartition(partition, cut?.parent === parent ? cut : beginning)
      }
    }
    if (this.#problem !== null && !this.#checkpoint.anyRead) throw this.#problem
    return { skipped: this.#checkpoint.skipped, warnings: this.#warnings.all() }
  }

  async #readPartition(partition: Partition, place: Place): Promise<void> {
    const checkpoint = this.#checkpoint
    const { parent, left } = place
    const { listings } = this.#context.stream
    const listing = listings[place.listing]!
    const countsRecords = place.listing === listings.length - 1 && listing.below === undefined
    checkpoint.place = place
    for (let slice = left[0]; slice !== undefined; slice = left[0]) {
      if (place.next === null) checkpoint.recordsBefore = checkpoint.records
      try {
        for await (const page of this.#pages(partition.list, partition.paramsOf(slice), place.next)) {
          await this.#readBelow(page, listing)
          if (countsRecords && left.length === 1) this.#expectRecords(page.total)
          // The last page of a list that is not whole leaves the place as it is.
          if (page.ends || page.next !== null) place.next = page.next
          if (page.ends) this.#drop(place, 1)
          checkpoint.anyRead ||= page.ends
          await this.#write(page.records, true)
        }
      } catch (error) {
        // Without anything else to read, the pass has failed.
        if (parent === null && slice.window === null) throw error
        const verdict = await this.#judge(error, listing, partition, slice)
        const halves = verdict === 'split' ? partition.halves(slice) : []
        const dropped = verdict === 'gone' || verdict === 'abandon' ? left.length : 1
        const lost = verdict === 'gone' || halves.length > 0 ? [] : left.slice(0, dropped)
        for (const { window } of lost) this.#skip(error, { parent, listing: place.listing, window }, listing)
        // Behind the other slices of the same window. Those that succeed keep the failures in a row few.
        const others = left.findIndex(({ nth }) => nth !== slice.nth)
        left.splice(others < 0 ? left.length : others, 0, ...halves)
        if (parent === null) this.#expect(halves.length)
        this.#drop(place, dropped)
        place.next = null
        // Until a first list is read to its end, the next run begins where this one did.
        if (checkpoint.anyRead) await this.#write([], true)
      }
    }
  }

  /** Takes the first slices off those that are left. */
  #drop({ parent, left }: Place, slices: number): void {
    left.splice(0, slices)
    this.#checkpoint.partsDone += parent === null ? slices : left.length === 0 ? 1 : 0
  }

  /** Reads the lists below the records of a page before the page is written, so that a pass which is cut reads them again. */
  async #readBelow({ records, warnings }: ReadPage, listing: Listing): Promise<void> {
    this.#warnings.add(warnings)
    const { below } = listing
    if (below === undefined) return
    for (const record of records) {
      const id = this.#context.stream.identity(record)
      if (id === null || this.#looked.has(id) || !below.has(record)) continue
      this.#looked.add(id)
      const about = { parent: id, listing: null, window: null }
      try {
        for await (const page of this.#pages(below.list, below.params(id), null)) {
          await this.#readBelow(page, listing)
          await this.#write(page.records, false)
        }
        const isOther = (one: Skipped): boolean => one.listing !== null || one.parent !== id
        this.#checkpoint.skipped = this.#checkpoint.skipped.filter(isOther)
      } catch (error) {
        await this.#setbacks.judge(error, 'below')
        this.#skip(error, about, listing)
      }
    }
  }

  #pages(list: ListOperation, first: Params, start: Params | null): AsyncGenerator<ReadPage> {
    return readPages(this.#context, { list, first, start }, this.#sizes, this.#setbacks)
  }

  async #judge(error: unknown, { over }: Listing, { parent }: Partition, { window }: Slice): Promise<Verdict | 'gone'> {
    const { kind, reader } = this.#context
    const confirm = over && kind.entities[over.entity]?.sync?.confirm
    const isRefused = error instanceof ConexError && error.code === 'upstream_refused'
    // Where the system no longer has the parent, a refusal of its list hides nothing.
    if (confirm !== undefined && parent !== null && isRefused && (await reader.isGone(confirm, parent.id))) {
      this.#setbacks.pageCame()
      return 'gone'
    }
    return this.#setbacks.judge(error, window === null ? 'list' : 'window')
  }

  #skip(error: unknown, what: Pick<Skipped, 'parent' | 'listing' | 'window'>, { windows }: Listing): void {
    const problem = error as ConexError
    this.#problem ??= problem
    const written = (moment: number | null | undefined) => (moment == null ? null : windows!.write(moment))
    const window = { from: written(what.window?.from), to: written(what.window?.to) }
    const one = { ...what, ...window, code: problem.code, detail: problem.message }
    this.#checkpoint.skipped = withSkipped(this.#checkpoint.skipped, one)
  }

  /** Adds to the number of parts; null makes it unknown. */
  #expect(more: number | null): void {
    const { parts } = this.#checkpoint
    this.#checkpoint.parts = parts === null || more === null ? null : parts + more
  }

  /** Takes the system's own count of the slice. When all else is read, the total of the pass follows from it. */
  #expectRecords(count: number | undefined): void {
    const { parts, partsDone, recordsBefore } = this.#checkpoint
    this.#total = count === undefined || parts === null || partsDone + 1 < parts ? null : recordsBefore + count
  }

  /** Writes records, and remembers the place behind them. */
  async #write(records: readonly StreamedRecord[], remembers: boolean): Promise<void> {
    const { stream, tenant, copies, copy, lease } = this.#context
    const checkpoint = this.#checkpoint
    const read = records.flatMap((data) => {
      const id = stream.identity(data)
      if (id !== null && Buffer.byteLength(id) <= longestId) return { id, data }
      this.#warnings.lostRecord()
      return []
    })
    checkpoint.records += read.length
    const { partsDone, parts } = checkpoint
    const progress = { records: checkpoint.records, total: this.#total, partsDone, parts }
    const place = remembers && { checkpoint: checkpoint as unknown as Json }
    await copies.commit(tenant, copy, lease, { records: read, progress, ...place })
  }
}
