/** Lets so many pieces of work run at a time, fair between those who give them. */
export class FairSlots {
  #free: number
  /** What begins each piece of waiting work, by who gave it; the first of the map is next. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(slots: number) {
    this.#free = slots
  }

  /** Begins one piece of each giver in each round, however many wait behind it. At the signal, work that still waits is given up. */
  async run<T>(giver: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    await this.#slot(giver, signal)
    try {
      return await work()
    } finally {
      this.#free++
      this.#beginNext()
    }
  }

  #slot(giver: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(giver) ?? []
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1)
        if (queue.length === 0) this.#waiting.delete(giver)
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(begin)
      this.#waiting.set(giver, queue)
      this.#beginNext()
    })
  }

  #beginNext(): void {
    for (const [giver, queue] of this.#waiting) {
      if (this.#free === 0) return
      this.#free--
      const begin = queue.shift()!
      // Behind all others.
      this.#waiting.delete(giver)
      if (queue.length > 0) this.#waiting.set(giver, queue)
      begin()
    }
  }
}
