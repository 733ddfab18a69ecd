/** Bounds how many downloads each may have under way, so that slow ones of one caller leave connections to all others. */
import { ConexError } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'

/** What a download counts for, for example an end user, and how many of those may be under way at once. */
export interface Share {
  readonly of: string
  readonly atOnce: number
}

/** `patience` is how many milliseconds a download waits for all its places. */
export function createShares(patience: number) {
  const places = new Map<string, Semaphore>()

  /** Waits for a place in each of the shares, in the order in which callers came; gives how to leave them. */
  return async (shares: readonly Share[], signal: AbortSignal): Promise<() => void> => {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const entered: (() => void)[] = []
    const leave = (): void => {
      for (const one of entered.splice(0)) one()
    }
    try {
      for (const { of, atOnce } of shares) {
        const share = places.get(of) ?? new Semaphore(atOnce)
        places.set(of, share)
        await share.take(1, inTime)
        entered.push(() => {
          share.give(1)
          if (share.free === atOnce) places.delete(of)
        })
      }
      return leave
    } catch (error) {
      leave()
      if (signal.aborted) throw error
      throw new ConexError(
        'rate_limited',
        'The maximum number of downloads is already running; finish one of them, then repeat this one.',
        { retryAfter: Math.ceil(patience / 1000) },
      )
    }
  }
}
