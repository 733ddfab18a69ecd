/** The events of hosted mode: who waits for them, and how long they are kept. */
import { pruneEvents } from '../events/prune-events.ts'
import { WaitingReaders } from '../events/waiting-readers.ts'
import type { Log } from '../log.ts'
import { periodicTask } from '../periodic-task.ts'
import type { Store } from '../store/store.ts'

export interface Events {
  /** Readers that wait for the next event. */
  readonly readers: WaitingReaders
  /** Deletes events that are older than they are kept. */
  prune(): Promise<void>
  close(): Promise<void>
}

const hourMs = 3_600_000

export interface EventsOptions {
  readonly store: Store
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly keptDays: number
}

export function createEvents({ store, log, now, keptDays }: EventsOptions): Events {
  const readers = new WaitingReaders(store, log)
  const pruning = periodicTask(
    (closing) => pruneEvents(store, now(), keptDays * 24 * hourMs, closing),
    hourMs,
    (error) => log.error({ reason: String(error) }, 'old events could not be deleted'),
  )
  return {
    readers,
    prune: pruning.once,
    async close() {
      readers.close()
      await pruning.close()
    },
  }
}
