/** Reads the listings of an entity, partition by partition and page by page. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Listing } from '../catalog/stream.ts'
import { ConexError } from '../errors.ts'
import { countPartitions, type Partition, partitionsOf, type Slice, slicesAfter } from './partitions.ts'
import { PassWriter, type Place } from './pass-writer.ts'
import { type PageSizes, type ReadPage, readPages } from './read-pages.ts'
import { Setbacks } from './setbacks.ts'
import type { Skipped } from './skipped.ts'
import type { PassContext } from './sync-context.ts'

export interface Reading {
  readonly skipped: readonly Skipped[]
  readonly warnings: readonly string[]
}

/** Throws where nothing at all could be read, and what ends the pass. */
export async function readListings(context: PassContext): Promise<Reading> {
  const { stream, last, reach } = context
  const writer = await PassWriter.open(context)
  const { place } = writer
  const reader = new PartitionReader(context, writer)
  for (const [number, listing] of stream.listings.entries()) {
    if (place !== null && number < place.listing) continue
    const cut = place?.listing === number ? place : null
    if (cut === null) writer.expect(await countPartitions(context, listing))
    const owed = reach.since === null ? [] : last.skipped.filter((one) => one.listing === number)
    for await (const partition of partitionsOf(context, listing, cut?.parent ?? '', owed))
      await reader.read(number, partition, cut?.parent === (partition.parent?.id ?? '') ? cut : null)
  }
  if (writer.problem !== null && !writer.anyRead) throw writer.problem
  return { skipped: writer.skipped, warnings: writer.warnings.all() }
}

class PartitionReader {
  readonly #context: PassContext
  readonly #writer: PassWriter
  readonly #setbacks: Setbacks
  readonly #sizes: PageSizes = new Map()
  /** Records below which was looked already; a record can be in several lists. */
  readonly #looked = new Set<string>()

  constructor(context: PassContext, writer: PassWriter) {
    this.#context = context
    this.#writer = writer
    this.#setbacks = new Setbacks(context.reader.answers, context.pass.continued)
  }

  /** Reads what is left of a partition behind the place at which an earlier run was cut. */
  async read(number: number, partition: Partition, cut: Place | null): Promise<void> {
    const writer = this.#writer
    const listing = this.#context.stream.listings[number]!
    const isLast = number === this.#context.stream.listings.length - 1
    const parent = partition.parent?.id ?? null
    const left = cut === null ? [...partition.slices] : slicesAfter(partition.slices, cut.slice)
    let start = cut?.next ?? null
    if (start !== null) left.unshift(cut!.slice)
    const place = (slice: Slice, next: Params | null): Place => ({ listing: number, parent: parent ?? '', slice, next })
    const done = (slices: number) => writer.done(parent === null ? slices : left.length === 0 ? 1 : 0)

    for (let slice = left.shift(); slice !== undefined; slice = left.shift()) {
      const pages = this.#pages(listing.list, partition.paramsOf(slice), start)
      if (start === null) writer.beginSlice()
      start = null
      try {
        for await (const page of pages) {
          await this.#readBelow(page, listing)
          // The system's count leaves out what hangs below.
          if (isLast && left.length === 0 && listing.below === undefined) writer.expectRecords(page.total)
          if (page.ends) done(1)
          // The last page of a list that is not whole leaves the checkpoint where it is.
          await writer.write(page.records, page.ends || page.next !== null ? place(slice, page.next) : null)
        }
      } catch (error) {
        // Where there is nothing else to read, the pass has failed.
        if (parent === null && slice.window === null) throw error
        const lost = [slice]
        if (await isGone(this.#context, listing, partition, error)) {
          this.#setbacks.pageCame()
          left.length = 0
        } else {
          const verdict = await this.#setbacks.judge(error, slice.window === null ? 'list' : 'window')
          const halves = verdict === 'split' ? partition.halves(slice) : []
          if (halves.length > 0) {
            left.unshift(...halves)
            if (parent === null) writer.expect(1)
            continue
          }
          if (verdict === 'abandon') lost.push(...left.splice(0))
          for (const { window } of lost) writer.skip(error as ConexError, { parent, listing: number, window }, listing)
        }
        done(lost.length)
        if (writer.anyRead) await writer.write([], place(lost.at(-1)!, null))
      }
    }
  }

  /** Reads what hangs on the records of a page before the page itself is written, so that a pass which is cut finds it again. */
  async #readBelow({ records, warnings }: ReadPage, listing: Listing): Promise<void> {
    this.#writer.warnings.add(warnings)
    const { below } = listing
    if (below === undefined) return
    for (const record of records) {
      const id = this.#context.stream.identity(record)
      if (id === null || this.#looked.has(id) || !below.has(record)) continue
      this.#looked.add(id)
      try {
        for await (const page of this.#pages(below.list, below.params(id), null)) {
          await this.#readBelow(page, listing)
          await this.#writer.write(page.records, null)
        }
        this.#writer.belowRead(id)
      } catch (error) {
        await this.#setbacks.judge(error, 'below')
        this.#writer.skip(error as ConexError, { parent: id, listing: null, window: null }, listing)
      }
    }
  }

  #pages(list: ListOperation, first: Params, start: Params | null): AsyncGenerator<ReadPage> {
    return readPages(this.#context, { list, first, start }, this.#sizes, this.#setbacks)
  }
}

/** Whether the system no longer has the parent, so that a refusal of its list hides nothing. */
async function isGone(
  { kind, reader }: PassContext,
  { over }: Listing,
  { parent }: Partition,
  refusal: unknown,
): Promise<boolean> {
  const confirm = over && kind.entities[over.entity]?.sync?.confirm
  if (confirm === undefined || parent === null) return false
  if (!(refusal instanceof ConexError) || refusal.code !== 'upstream_refused') return false
  try {
    await reader.record(confirm.get, { [confirm.param]: parent.id })
    return false
  } catch (error) {
    if (error instanceof ConexError) return error.code === 'record_not_found'
    throw error
  }
}
