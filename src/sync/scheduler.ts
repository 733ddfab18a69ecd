/** Starts syncs when they are due. */
import type { Log } from '../log.ts'

/** A connector whose copy is kept here, as far as the schedule has to know it. */
export interface Scheduled {
  /** Milliseconds since 1970; null while nothing is to be synced. */
  readonly dueAt: number | null
  start(): void
}

export interface Scheduler {
  /** Looks once, and asks for every sync that is due. */
  look(): Promise<void>
  close(): Promise<void>
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
}): Scheduler {
  let looking: Promise<void> | null = null
  let closed = false

  async function lookOver(): Promise<void> {
    const due: { readonly at: number; readonly start: () => void }[] = []
    for await (const { dueAt, start } of connectors()) {
      if (closed) return
      if (dueAt !== null && dueAt <= now()) due.push({ at: dueAt, start })
    }
    due.sort((one, other) => one.at - other.at)
    if (!closed) for (const { start } of due) start()
  }

  const look = (): Promise<void> => (looking ??= lookOver().finally(() => (looking = null)))
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.error({ reason: String(error) }, 'the schedule could not be looked at'))
  }, everyMs)
  timer.unref()
  return {
    look,
    async close() {
      closed = true
      clearInterval(timer)
      await looking?.catch(() => {})
    },
  }
}
