/** So many units for all: who asks for more than are free waits in order, callers before syncs. */

interface Waiting {
  readonly units: number
  readonly enter: () => void
}

export class Semaphore {
  #free: number
  readonly #queues: readonly [callers: Set<Waiting>, syncs: Set<Waiting>] = [new Set(), new Set()]

  constructor(units: number) {
    this.#free = units
  }

  /** Below zero where more were taken than there are. */
  get free(): number {
    return this.#free
  }

  /** Takes so many units, unless others wait for some or they are not free. */
  takeNow(units: number): boolean {
    if (units > this.#free || this.#queues.some(({ size }) => size > 0)) return false
    this.overdraw(units)
    return true
  }

  /** Waits for so many units, or until the signal ends that. */
  async take(units: number, signal: AbortSignal, background = false): Promise<void> {
    if (this.takeNow(units)) return
    signal.throwIfAborted()
    const queue = this.#queues[background ? 1 : 0]
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>()
    const waiting = { units, enter }
    const gone = (): void => {
      queue.delete(waiting)
      reject(signal.reason)
      this.#enterNext()
    }
    queue.add(waiting)
    signal.addEventListener('abort', gone, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', gone))
  }

  /** Takes units whether they are free or not. */
  overdraw(units: number): void {
    this.#free -= units
  }

  give(units: number): void {
    this.#free += units
    this.#enterNext()
  }

  #enterNext(): void {
    for (const queue of this.#queues)
      for (const waiting of queue) {
        if (waiting.units > this.#free) return
        this.overdraw(waiting.units)
        queue.delete(waiting)
        waiting.enter()
      }
  }
}
