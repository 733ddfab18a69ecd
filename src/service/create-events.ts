/** The events of hosted mode: who waits for them, where they are sent, and how long they are kept. */
import { Deliveries, type DeliveriesOptions } from '../events/deliveries.ts'
import { pruneEvents } from '../events/prune-events.ts'
import { WaitingReaders } from '../events/waiting-readers.ts'
import { periodicTask } from '../periodic-task.ts'
import type { Store } from '../store/store.ts'

export interface Events {
  /** Readers that wait for the next event. */
  readonly readers: WaitingReaders
  /** Sends webhooks what is due, and waits until that is done. */
  deliver(): Promise<void>
  /** Deletes events that are older than they are kept. */
  prune(): Promise<void>
  close(): Promise<void>
}

const hourMs = 3_600_000

const lookEveryMs = 1_000

export interface EventsOptions extends DeliveriesOptions {
  readonly store: Store
  readonly keptDays: number
  /** False if webhooks are sent to only on request. */
  readonly scheduled: boolean
}

export function createEvents(options: EventsOptions): Events {
  const { store, log, now, keptDays, scheduled } = options
  const readers = new WaitingReaders(store, log)
  const pruning = periodicTask(
    (closing) => pruneEvents(store, now(), keptDays * 24 * hourMs, closing),
    hourMs,
    (error) => log.error({ reason: String(error) }, 'old events could not be deleted'),
  )
  const deliveries = new Deliveries(options)
  const looking = scheduled
    ? periodicTask(
        () => deliveries.look(),
        lookEveryMs,
        (error) => log.error({ reason: String(error) }, 'webhooks could not be looked for'),
      )
    : null
  return {
    readers,
    async deliver() {
      await deliveries.look()
      await deliveries.settled()
    },
    prune: pruning.once,
    async close() {
      readers.close()
      await looking?.close()
      await Promise.all([pruning.close(), deliveries.close()])
    },
  }
}
