/** The state that a finished pass leaves for the next one. */
import type { Stream } from '../catalog/stream.ts'
import { clocksDifferMs } from '../clocks.ts'
import type { Json } from '../search/query.ts'
import type { EntityState } from '../store/copy.ts'
import type { Skipped } from './skipped.ts'

export interface SyncState {
  /** When the last finished pass started; changes are read from then on. */
  readonly since: string | null
  /** When the last finished full pass started. */
  readonly full: string | null
  /** When the last finished pass started that looked back as far as a pass over changes can. */
  readonly far: string | null
  /** The start date of the last finished full pass. */
  readonly startDate: string | null
  readonly skipped: readonly Skipped[]
  /** Whether the last finished full pass missed most of the copy, so that the next pass looks again. */
  readonly doubted: boolean
  /** A few values that did not have their declared type. */
  readonly warnings: readonly string[]
}

const never = { since: null, full: null, far: null, startDate: null }
const none: SyncState = { ...never, skipped: [], doubted: false, warnings: [] }

export const readSyncState = (kept: Json | undefined): SyncState => ({
  ...none,
  ...(kept as Partial<SyncState> | null),
})

export const writeSyncState = (state: SyncState): Json => state as unknown as Json

/** Whether the next pass must read everything. */
export function fullIsDue(
  { fullEvery, listings }: Stream,
  state: EntityState | undefined,
  startDate: string | null,
  now: number,
): boolean {
  if (fullEvery === undefined || state === undefined) return true
  const last = readSyncState(state.mark)
  // Any pass reads skipped parts again.
  if (!state.complete && (last.skipped.length === 0 || state.status === 'failed')) return true
  const isDated = listings.some(({ windows }) => windows !== undefined)
  if (last.full === null || last.doubted || (isDated && last.startDate !== startDate)) return true
  // A clock that was ahead set a future time, and there are no changes since then.
  if (Date.parse(last.since ?? last.full) > now + clocksDifferMs) return true
  return isPast(last.full, fullEvery, now)
}

/** Whether a pass over changes that started at a moment looks back farther than usual. */
export const farIsDue = ({ listings }: Stream, { far }: SyncState, startedAt: number): boolean =>
  listings.some(
    ({ windows }) => windows?.farLookBack && (far === null || isPast(far, windows.farLookBack.every, startedAt)),
  )

/** Whether a moment lies this many seconds back, or so far ahead that it comes from a wrong clock. */
function isPast(moment: string, seconds: number, now: number): boolean {
  const age = now - Date.parse(moment)
  return age < -clocksDifferMs || age >= seconds * 1000
}
