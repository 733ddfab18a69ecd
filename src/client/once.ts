/** Does a piece of work when it is first asked for, keeps its outcome, and tries again after a failure. */
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
