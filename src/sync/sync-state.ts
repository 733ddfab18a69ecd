/** What a finished pass leaves behind for the next one. */
import type { Stream } from '../catalog/stream.ts'
import { clocksDifferMs } from '../clocks.ts'
import type { Json } from '../search/query.ts'
import type { EntityState } from '../store/copy.ts'
import type { Skipped } from './skipped.ts'
import type { SyncContext } from './sync-context.ts'

export interface SyncState {
  /** When the last finished pass began, which is what changes are read from. */
  readonly since: string | null
  /** When the last finished full pass began. */
  readonly full: string | null
  /** When the last finished pass began that looked back as far as any but a full one does. */
  readonly far: string | null
  /** The start date by which the last finished full pass went. */
  readonly startDate: string | null
  readonly skipped: readonly Skipped[]
  /** Whether most of the copy was not met by the last finished full pass, so that the next one looks again. */
  readonly doubted: boolean
  /** Values that were not of their declared type, as far as a few tell the story. */
  readonly warnings: readonly string[]
}

const none: SyncState = {
  since: null,
  full: null,
  far: null,
  startDate: null,
  skipped: [],
  doubted: false,
  warnings: [],
}

export const readSyncState = (mark: Json | undefined): SyncState => ({
  ...none,
  ...(mark as Partial<SyncState> | null | undefined),
})

export const writeSyncState = (mark: SyncState): Json => mark as unknown as Json

/** Whether the next pass has to read everything. */
export function fullIsDue(
  { fullEvery, listings }: Stream,
  state: EntityState | undefined,
  { now, startDate }: Pick<SyncContext, 'now' | 'startDate'>,
): boolean {
  if (fullEvery === undefined || state === undefined) return true
  const mark = readSyncState(state.mark)
  // What was skipped is read again by any pass.
  if (!state.complete && (mark.skipped.length === 0 || state.status === 'failed')) return true
  const isDated = listings.some(({ windows }) => windows !== undefined)
  if (mark.full === null || mark.doubted || (isDated && mark.startDate !== startDate)) return true
  // Changes since a moment to come would be none: a clock that was ahead has told it.
  if (Date.parse(mark.since ?? mark.full) > now() + clocksDifferMs) return true
  const age = now() - Date.parse(mark.full)
  return age < -clocksDifferMs || age >= fullEvery * 1000
}

/** Whether a pass over changes that began at a moment looks back farther than usual. */
export function farIsDue({ listings }: Stream, { far }: SyncState, startedAt: number): boolean {
  return listings.some(({ windows }) => {
    const every = windows?.farLookBack?.every
    const age = far === null ? Number.POSITIVE_INFINITY : startedAt - Date.parse(far)
    return every !== undefined && (age < -clocksDifferMs || age >= every * 1000)
  })
}
