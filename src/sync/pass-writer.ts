/** Writes what a pass reads, each page together with the checkpoint behind it, and reports how far the pass has got. */
import type { Params } from '../catalog/rules.ts'
import type { Listing, StreamedRecord } from '../catalog/stream.ts'
import type { ConexError } from '../errors.ts'
import type { Json } from '../search/query.ts'
import type { Slice } from './partitions.ts'
import { createPassWarnings } from './pass-warnings.ts'
import { type Skipped, withSkipped } from './skipped.ts'
import type { PassContext } from './sync-context.ts'

/** Where a page stands. */
export interface Place {
  readonly listing: number
  /** Empty where the listing has no parents. */
  readonly parent: string
  readonly slice: Slice
  /** The next page of the slice; null once the slice is done. */
  readonly next: Params | null
}

interface Checkpoint {
  /** Null before the first page. */
  place: Place | null
  skipped: readonly Skipped[]
  /** Whether any list was read to its end. */
  anyRead: boolean
  records: number
  /** How many of the records came before the slice that is being read. */
  recordsBefore: number
  partsDone: number
  /** Null when it is not known. */
  parts: number | null
  /** Places of another start date stand elsewhere. */
  readonly startDate: string | null
}

/** In bytes of UTF-8. The key of a PostgreSQL index holds little more, and one such record would end every pass. */
const longestId = 1_000
/** Milliseconds from one report to the next. */
const reportEvery = 1_000

export class PassWriter {
  readonly warnings = createPassWarnings()
  /** The first failure that cost a list. */
  problem: ConexError | null = null
  readonly #context: PassContext
  readonly #checkpoint: Checkpoint
  #total: number | null = null
  #reportedAt: number

  private constructor(context: PassContext, checkpoint: Checkpoint) {
    this.#context = context
    this.#checkpoint = checkpoint
    this.#reportedAt = context.now()
  }

  /** Continues a pass that was cut at its checkpoint. */
  static async open(context: PassContext): Promise<PassWriter> {
    const { pass, last, startDate, copies, tenant, copy } = context
    const kept = pass.continued ? ((await copies.checkpoint(tenant, copy, '')) as Checkpoint | null) : null
    if (kept?.startDate === startDate) return new PassWriter(context, kept)
    // What only a full pass reads is still not read.
    const skipped = pass.full ? [] : last.skipped.filter(({ listing }) => listing === null)
    const counts = { records: 0, recordsBefore: 0, partsDone: 0, parts: 0 }
    return new PassWriter(context, { place: null, skipped, anyRead: false, ...counts, startDate })
  }

  get place(): Place | null {
    return this.#checkpoint.place
  }

  get skipped(): readonly Skipped[] {
    return this.#checkpoint.skipped
  }

  get anyRead(): boolean {
    return this.#checkpoint.anyRead
  }

  /** Counts partitions that are to be read; null when their number is not known. */
  expect(more: number | null): void {
    const { parts } = this.#checkpoint
    this.#checkpoint.parts = parts === null || more === null ? null : parts + more
  }

  done(partitions: number): void {
    this.#checkpoint.partsDone += partitions
  }

  beginSlice(): void {
    this.#checkpoint.recordsBefore = this.#checkpoint.records
  }

  /** Takes the system's own count of the last slice of a partition. Once all others are read, it tells what the pass will have read. */
  expectRecords(count: number | null): void {
    const { parts, partsDone, recordsBefore } = this.#checkpoint
    this.#total = count === null || parts === null || partsDone + 1 < parts ? null : recordsBefore + count
  }

  /** Names what could not be read. */
  skip(error: ConexError, what: Pick<Skipped, 'parent' | 'listing' | 'window'>, { windows }: Listing): void {
    this.problem ??= error
    const written = (moment: number | null | undefined) => (moment == null ? null : windows!.write(moment))
    const { window } = what
    const skipped = { ...what, from: written(window?.from), to: written(window?.to) }
    const one = { ...skipped, code: error.code, detail: error.message }
    this.#checkpoint.skipped = withSkipped(this.#checkpoint.skipped, one)
  }

  /** The list below a record could be read, other than before. */
  belowRead(record: string): void {
    this.#checkpoint.skipped = this.skipped.filter(({ parent, listing }) => listing !== null || parent !== record)
  }

  /** Writes a page. The checkpoint moves to its place, where it has one. */
  async write(records: readonly StreamedRecord[], place: Place | null): Promise<void> {
    const { stream, tenant, copies, copy, lease } = this.#context
    const read = records.flatMap((data) => {
      const id = stream.identity(data)
      if (id !== null && Buffer.byteLength(id) <= longestId) return { id, data }
      this.warnings.lostRecord()
      return []
    })
    this.#checkpoint.records += read.length
    if (place !== null) this.#checkpoint.place = place
    this.#checkpoint.anyRead ||= place?.next === null
    const next = place === null ? null : { part: '', value: this.#checkpoint as unknown as Json }
    await copies.commit(tenant, copy, lease, { records: read }, next)
    await this.#report()
  }

  async #report(): Promise<void> {
    const { now, tenant, copies, copy, lease } = this.#context
    if (now() - this.#reportedAt < reportEvery) return
    this.#reportedAt = now()
    const { records, partsDone, parts } = this.#checkpoint
    await copies.report(tenant, copy, lease, { records, total: this.#total, partsDone, parts })
  }
}
