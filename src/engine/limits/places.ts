/** Lets so many requests be under way at a time; whoever waits goes in order, callers before syncs. */
export class Places {
  #free: number
  readonly #waiting: readonly [callers: Set<() => void>, syncs: Set<() => void>] = [new Set(), new Set()]

  constructor(most: number) {
    this.#free = most
  }

  /** Gives how to leave the place. */
  async enter(background: boolean, signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#turn(this.#waiting[background ? 1 : 0], signal)
    return () => this.#leave()
  }

  #turn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const gone = (): void => {
        queue.delete(enter)
        reject(signal.reason)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', gone)
        resolve()
      }
      signal.addEventListener('abort', gone, { once: true })
      queue.add(enter)
    })
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
