/** When the next sync of a connector is due; told from what the store knows, so that every node says the same. */
import { createHash } from 'node:crypto'
import { clocksDifferMs } from '../clocks.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { ScheduledEntity } from '../store/schedule.ts'

const minute = 60_000
const day = 86_400_000

/** Syncs that keep failing are tried less and less often, but never less than daily (or than the interval, if that is longer). */
const soonestRetry = 5 * minute

/**
 * When each entity is due, in milliseconds since 1970; empty while nothing is to be synced. `entities` are those that the
 * kind's copy holds. Each connector is early by a part of the interval that is its own, so that those made together do not
 * stay together. What is said to have been after `now` was said by a clock that was ahead, and is no reason to wait.
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
  // The budget is one for all entities, so that asking for another one is of no use either.
  const notBefore = Math.max(0, ...exhausted.map(due))
  return new Map(entities.map((entity) => [entity, Math.max(notBefore, due(known.get(entity)))]))

  function due(state: ScheduledEntity | undefined): number {
    // Never begun, or cut; where somebody is at it, the lease tells.
    if (state === undefined || state.status === 'waiting' || state.status === 'running') return created
    const finished = Date.parse(state.finishedAt ?? createdAt)
    if (finished > now + clocksDifferMs) return now
    if (state.status === 'finished' || state.lastError === null) return finished + interval - early
    const failedAt = Date.parse(state.lastError.at)
    if (failedAt > now + clocksDifferMs) return now
    // As long again as it has been failing for, which doubles the wait each time.
    const wait = Math.max(failedAt - finished, Math.min(soonestRetry, interval))
    return failedAt + Math.min(wait, Math.max(day, interval))
  }
}

const budgetGone = 'upstream_rate_limited'

/** When the first of them is due; null while none is. */
export function nextDue(...about: Parameters<typeof dueTimes>): number | null {
  const times = [...dueTimes(...about).values()]
  return times.length === 0 ? null : Math.min(...times)
}

/** A number from 0 up to 1 that belongs to the connector. */
const share = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32
