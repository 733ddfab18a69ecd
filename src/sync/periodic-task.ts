/** Work that a node repeats by itself, never twice at a time. */

export interface PeriodicTask {
  /** Does the work now, or waits for the round that is under way. */
  once(): Promise<void>
  /** Tells the round that is under way to end, and waits until it has. */
  close(): Promise<void>
}

/** Begins a round every so many milliseconds, unless the one before goes on. The next round makes up for one that failed. */
export function periodicTask(
  work: (closing: AbortSignal) => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
): PeriodicTask {
  const closing = new AbortController()
  let round: Promise<void> | null = null
  const once = (): Promise<void> => (round ??= work(closing.signal).finally(() => (round = null)))
  const timer = setInterval(() => void once().catch(onFailure), everyMs)
  timer.unref()
  return {
    once,
    async close() {
      closing.abort()
      clearInterval(timer)
      await round?.catch(() => {})
    },
  }
}
