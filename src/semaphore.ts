/** So many units for all: requests for more than are free wait, callers before syncs, and fair between those who ask. */

interface Waiting {
  readonly units: number
  readonly enter: () => void
}

/** Requests that wait, in order, by who asked; the first of the map is next. */
type Queues = Map<string, Set<Waiting>>

export class Semaphore {
  #free: number
  readonly #callers: Queues = new Map()
  readonly #syncs: Queues = new Map()

  constructor(units: number) {
    this.#free = units
  }

  /** Below zero where more were taken than there are. */
  get free(): number {
    return this.#free
  }

  /** Does work that takes one unit. */
  async run<T>(giver: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.take(1, signal, false, giver)
    try {
      return await work()
    } finally {
      this.give(1)
    }
  }

  /** Takes so many units, unless others wait for some or they are not free. */
  takeNow(units: number): boolean {
    if (units > this.#free || this.#callers.size + this.#syncs.size > 0) return false
    this.overdraw(units)
    return true
  }

  /** Waits for so many units, or until the signal ends that. Each giver gets one turn in each round, however many requests it has. */
  async take(units: number, signal?: AbortSignal, background = false, giver = ''): Promise<void> {
    signal?.throwIfAborted()
    if (this.takeNow(units)) return
    const queues = background ? this.#syncs : this.#callers
    const queue = queues.get(giver) ?? new Set()
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>()
    const waiting = { units, enter }
    const gone = (): void => {
      if (queue.delete(waiting) && queue.size === 0) queues.delete(giver)
      reject(signal!.reason)
      this.#enterNext()
    }
    queues.set(giver, queue.add(waiting))
    signal?.addEventListener('abort', gone, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', gone))
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
    for (const queues of [this.#callers, this.#syncs])
      for (const [giver, queue] of queues) {
        const [next] = queue
        if (next!.units > this.#free) return
        this.overdraw(next!.units)
        queue.delete(next!)
        // Behind all others.
        queues.delete(giver)
        if (queue.size > 0) queues.set(giver, queue)
        next!.enter()
      }
  }
}
