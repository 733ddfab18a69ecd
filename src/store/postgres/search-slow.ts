/** Searches that were too slow a moment ago, so that the same search, or its next page, is not tried as a short one again. */
import { createHash } from 'node:crypto'

const mostKnown = 1000
const forgottenMs = 60_000

export class SlowSearches {
  /** When each was too slow; the earliest is first. */
  readonly #since = new Map<string, number>()

  has(search: string): boolean {
    if (this.#since.size === 0) return false
    const since = this.#since.get(short(search))
    return since !== undefined && performance.now() - since < forgottenMs
  }

  /** Does the search, and forgets it when it is quick by now, for example since what it reads is in memory. */
  async timed<T>(search: string, quickMs: number, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await work()
    if (performance.now() - start < quickMs) this.#since.delete(short(search))
    return result
  }

  add(search: string): void {
    this.#since.delete(short(search))
    this.#since.set(short(search), performance.now())
    if (this.#since.size > mostKnown) this.#since.delete(this.#since.keys().next().value!)
  }
}

// A search may be as long as a request.
const short = (search: string): string => createHash('sha256').update(search).digest('base64')
