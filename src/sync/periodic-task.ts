/** Work that a node repeats by itself, never twice at a time. */

/** Begins a round every so many milliseconds, unless the one before goes on. The next round makes up for one that failed. */
export function periodicTask(
  work: (closing: AbortSignal) => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
) {
  const closing = new AbortController()
  let round: Promise<void> | null = null
  /** Does the work now, or waits for the round that is under way. */
  const once = (): Promise<void> => (round ??= work(closing.signal).finally(() => (round = null)))
  const timer = setInterval(() => void once().catch(onFailure), everyMs).unref()
  return {
    once,
    /** Tells the round that is under way to end, and waits until it has. */
    async close(): Promise<void> {
      closing.abort()
      clearInterval(timer)
      await round?.catch(() => {})
    },
  }
}
