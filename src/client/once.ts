/**
 * Runs the work on the first call, and returns the same result to all calls. After a failure, the next call tries
 * again.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | null = null
  return () => {
    outcome ??= work().catch((error: unknown) => {
      outcome = null
      throw error
    })
    return outcome
  }
}
