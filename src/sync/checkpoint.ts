/** How far a pass has got. It is written with each page, so that the next run continues a pass that was cut. */
import type { Params } from '../catalog/rules.ts'
import type { Slice } from './partitions.ts'
import type { Skipped } from './skipped.ts'
import type { PassContext } from './sync-context.ts'

export interface Checkpoint {
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
  /** The windows of the place were counted from this day on. */
  readonly startDate: string | null
}

export interface Place {
  readonly listing: number
  /** Null where the listing has no parents. */
  readonly parent: string | null
  /** The slices of the partition that were not read to their end. */
  readonly left: Slice[]
  /** The next page of the first of them; null for its first page. */
  next: Params | null
}

export function openCheckpoint({ pass, last, startDate }: PassContext): Checkpoint {
  const kept = pass.checkpoint as Checkpoint | null
  if (kept?.startDate === startDate) return kept
  // Only a full pass reads these again.
  const skipped = pass.full ? [] : last.skipped.filter(({ listing }) => listing === null)
  const counts = { records: 0, recordsBefore: 0, partsDone: 0, parts: 0 }
  return { place: null, skipped, anyRead: false, ...counts, startDate }
}
