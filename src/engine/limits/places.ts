/** Lets so many requests run at a time; the others wait in order, callers before syncs. */
export class Places {
  #free: number
  readonly #waiting: readonly [callers: Set<() => void>, syncs: Set<() => void>] = [new Set(), new Set()]

  constructor(most: number) {
    this.#free = most
  }

  /** Gives how to leave the place. */
  async enter(background: boolean, signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#wait(this.#waiting[background ? 1 : 0], signal)
    return () => this.#leave()
  }

  async #wait(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const gone = (): void => reject(signal.reason)
    queue.add(resolve)
    signal.addEventListener('abort', gone, { once: true })
    try {
      await promise
    } finally {
      queue.delete(resolve)
      signal.removeEventListener('abort', gone)
    }
  }

  #leave(): void {
    for (const queue of this.#waiting)
      for (const enter of queue) {
        queue.delete(enter)
        enter()
        return
      }
    this.#free++
  }
}
