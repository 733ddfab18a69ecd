/** When the next sync of a connector is due. Only the store determines it, so every node gets the same time. */
import { createHash } from 'node:crypto'
import { clocksDifferMs } from '../clocks.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { ScheduledEntity } from '../store/schedule.ts'

const minute = 60_000
const day = 86_400_000

/**
 * A sync that keeps failing is tried less and less often, but at least daily, or once per interval if that is longer.
 */
const soonestRetry = 5 * minute

/**
 * When each of the entities is due, in milliseconds since 1970; empty if there is nothing to sync. Each connector is early by its
 * own share of the interval, so that connectors that were created together do not sync together. A time after `now` comes from a
 * clock that was ahead, and is no reason to wait.
 */
export function dueTimes(
  { id, status, sync, createdAt }: Pick<StoredConnector, 'id' | 'status' | 'sync' | 'createdAt'>,
  states: readonly ScheduledEntity[],
  entities: readonly string[],
  now: number,
): ReadonlyMap<string, number> {
  if (!sync.enabled || status !== 'active') return new Map()
  const known = new Map(states.map((state) => [state.entity, state]))
  const interval = sync.intervalSeconds * 1000
  const created = Math.min(Date.parse(createdAt), now)
  const early = interval * 0.1 * share(id)
  const exhausted = states.filter(({ status, lastError }) => status === 'failed' && lastError?.code === budgetGone)
  // All entities share one budget, so none is due before it is refilled.
  const notBefore = Math.max(0, ...exhausted.map(due))
  return new Map(entities.map((entity) => [entity, Math.max(notBefore, due(known.get(entity)))]))

  function due(state: ScheduledEntity | undefined): number {
    // Never started, or interrupted. The lease says whether a node is syncing it.
    if (state === undefined || state.status === 'waiting' || state.status === 'running') return created
    const finished = Date.parse(state.finishedAt ?? createdAt)
    if (finished > now + clocksDifferMs) return now
    if (state.status === 'finished' || state.lastError === null) return finished + interval - early
    const failedAt = Date.parse(state.lastError.at)
    if (failedAt > now + clocksDifferMs) return now
    // Waits for as long as the entity has been failing, which doubles the wait each time.
    const wait = Math.max(failedAt - finished, Math.min(soonestRetry, interval))
    return failedAt + Math.min(wait, Math.max(day, interval))
  }
}

const budgetGone = 'upstream_rate_limited'

/** When the first of the entities is due; null if there is nothing to sync. */
export function nextDue(...about: Parameters<typeof dueTimes>): number | null {
  const times = [...dueTimes(...about).values()]
  return times.length === 0 ? null : Math.min(...times)
}

/** A number from 0 up to 1, always the same for a connector. */
const share = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32
