/** Deletes events that are older than they are kept. */
import { setImmediate as otherWork } from 'node:timers/promises'
import { clocksDifferMs } from '../clocks.ts'
import type { Store } from '../store/store.ts'

/** Few at a time, so that others can write in between. */
const prunedAtOnce = 200

export async function pruneEvents(
  { events }: Pick<Store, 'events'>,
  now: number,
  keptMs: number,
  closing: AbortSignal,
): Promise<void> {
  const before = new Date(now - keptMs).toISOString()
  const furthest = new Date(now + clocksDifferMs).toISOString()
  for (const organizationId of await events.organizations())
    while (!closing.aborted && (await events.prune(organizationId, before, furthest, prunedAtOnce)) === prunedAtOnce)
      await otherWork()
}
