/** Deletes what is left of copies that were removed, or replaced by copies of a newer version. */
import type { Log } from '../log.ts'
import type { CopyStore } from '../store/copy.ts'
import { type PeriodicTask, periodicTask } from './periodic-task.ts'

const recordsAtOnce = 200

/** Apart from the schedule, because a large copy takes minutes. Few records at a time, so that others get to write in between. */
export function createPurge({
  copies,
  now,
  everyMs,
  log,
}: {
  readonly copies: Pick<CopyStore, 'purge' | 'retire'>
  readonly now: () => number
  readonly everyMs: number
  readonly log: Log
}): PeriodicTask {
  async function purgeCopies(closing: AbortSignal): Promise<void> {
    await copies.retire(new Date(now()).toISOString())
    while (!closing.aborted && (await copies.purge(recordsAtOnce)) > 0) await new Promise((done) => setImmediate(done))
  }

  return periodicTask(purgeCopies, everyMs, (error) =>
    log.error({ reason: String(error) }, 'what is left of removed copies could not be deleted'),
  )
}
