/** What a finished pass leaves behind for the next one. */
import type { Stream } from '../catalog/stream.ts'
import { clocksDifferMs } from '../clocks.ts'
import type { Json } from '../search/query.ts'
import type { EntityState } from '../store/copy.ts'
import type { Skipped } from './skipped.ts'

export interface SyncState {
  /** When the last finished pass began; changes are read from then on. */
  readonly since: string | null
  /** When the last finished full pass began. */
  readonly full: string | null
  /** When the last finished pass began that looked back as far as a pass over changes can. */
  readonly far: string | null
  /** The start date of the last finished full pass. */
  readonly startDate: string | null
  readonly skipped: readonly Skipped[]
  /** Whether the last finished full pass did not meet most of the copy, so that the next pass looks again. */
  readonly doubted: boolean
  /** A few values that were not of their declared type. */
  readonly warnings: readonly string[]
}

const never = { since: null, full: null, far: null, startDate: null }
const none: SyncState = { ...never, skipped: [], doubted: false, warnings: [] }

export const readSyncState = (kept: Json | undefined): SyncState => ({
  ...none,
  ...(kept as Partial<SyncState> | null),
})

export const writeSyncState = (state: SyncState): Json => state as unknown as Json

/** Whether the next pass has to read everything. */
export function fullIsDue(
  { fullEvery, listings }: Stream,
  state: EntityState | undefined,
  startDate: string | null,
  now: number,
): boolean {
  if (fullEvery === undefined || state === undefined) return true
  const last = readSyncState(state.mark)
  // What was skipped is read again by any pass.
  if (!state.complete && (last.skipped.length === 0 || state.status === 'failed')) return true
  const isDated = listings.some(({ windows }) => windows !== undefined)
  if (last.full === null || last.doubted || (isDated && last.startDate !== startDate)) return true
  // A clock that was ahead told a moment to come, and there are no changes since then.
  if (Date.parse(last.since ?? last.full) > now + clocksDifferMs) return true
  return isPast(last.full, fullEvery, now)
}

/** Whether a pass over changes that began at a moment looks back farther than usual. */
export const farIsDue = ({ listings }: Stream, { far }: SyncState, startedAt: number): boolean =>
  listings.some(
    ({ windows }) => windows?.farLookBack && (far === null || isPast(far, windows.farLookBack.every, startedAt)),
  )

/** Whether a moment lies so many seconds back, or so far ahead that a wrong clock told it. */
function isPast(moment: string, seconds: number, now: number): boolean {
  const age = now - Date.parse(moment)
  return age < -clocksDifferMs || age >= seconds * 1000
}
