/** Work that a node repeats, never twice at a time. */

/**
 * Starts a round at this interval, unless the previous one is still running. The next round makes up for a failed
 * one.
 */
export function periodicTask(
  work: (closing: AbortSignal) => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
) {
  const closing = new AbortController()
  let round: Promise<void> | null = null
  /** Does the work now, or waits for the running round. */
  const once = (): Promise<void> => (round ??= work(closing.signal).finally(() => (round = null)))
  const timer = setInterval(() => void once().catch(onFailure), everyMs).unref()
  return {
    once,
    /** Asks the running round to end, and waits until it has. */
    async close(): Promise<void> {
      closing.abort()
      clearInterval(timer)
      await round?.catch(() => {})
    },
  }
}
