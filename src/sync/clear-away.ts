/** Deletes what is left of copies that were removed. */
import type { Log } from '../log.ts'
import type { CopyStore } from '../store/copy.ts'
import { type Repeated, repeated } from './repeated.ts'

const recordsAtOnce = 200

/** Apart from the schedule, because a large copy takes minutes. Few records at a time, so that others get to write in between. */
export function createClearingAway({
  copies,
  everyMs,
  log,
}: {
  readonly copies: Pick<CopyStore, 'purge'>
  readonly everyMs: number
  readonly log: Log
}): Repeated {
  async function clearAway(closing: AbortSignal): Promise<void> {
    while (!closing.aborted && (await copies.purge(recordsAtOnce)) > 0) await new Promise((done) => setImmediate(done))
  }

  return repeated(clearAway, everyMs, (error) =>
    log.error({ reason: String(error) }, 'what is left of removed copies could not be deleted'),
  )
}
