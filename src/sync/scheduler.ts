/** Starts syncs when they are due. */
import type { Log } from '../log.ts'
import { takeTurns } from '../turns.ts'
import { type PeriodicTask, periodicTask } from './periodic-task.ts'

/** A connector whose copy is kept here, as far as the schedule has to know it. */
export interface Scheduled {
  /** Milliseconds since 1970; null while nothing is to be synced. */
  readonly dueAt: number | null
  start(): void
}

/** Looks over all connectors every so many milliseconds, and starts those that are due, the longest overdue first. */
export function createScheduler({
  connectors,
  now,
  everyMs,
  log,
}: {
  readonly connectors: () => AsyncIterable<Scheduled>
  readonly now: () => number
  readonly everyMs: number
  readonly log: Log
}): PeriodicTask {
  async function lookOver(closing: AbortSignal): Promise<void> {
    const due: { readonly at: number; readonly start: () => void }[] = []
    for await (const { dueAt, start } of connectors()) {
      if (closing.aborted) return
      if (dueAt !== null && dueAt <= now()) due.push({ at: dueAt, start })
    }
    due.sort((one, other) => one.at - other.at)
    const turn = takeTurns(100)
    for (const { start } of due) {
      if (closing.aborted) return
      start()
      const others = turn()
      if (others !== undefined) await others
    }
  }

  return periodicTask(lookOver, everyMs, (error) =>
    log.error({ reason: String(error) }, 'the schedule could not be looked at'),
  )
}
