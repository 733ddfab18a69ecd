/** Lets so many jobs run at a time, fair between those who give them. */
interface Waiting {
  readonly start: () => void
}

/** Whoever has many jobs waiting gets one turn in each round, like everybody else. */
export class Turns {
  readonly #most: number
  #running = 0
  /** What waits, by who gave it; who is first in the map is next. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(giver: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    await this.#turn(giver, signal)
    try {
      return await work()
    } finally {
      this.#running--
      this.#next()
    }
  }

  #turn(giver: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const queue = this.#waiting.get(giver)
        const place = queue?.indexOf(waiting) ?? -1
        if (queue === undefined || place < 0) return
        queue.splice(place, 1)
        if (queue.length === 0) this.#waiting.delete(giver)
        reject(signal!.reason)
      }
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      const queue = this.#waiting.get(giver)
      if (queue === undefined) this.#waiting.set(giver, [waiting])
      else queue.push(waiting)
      this.#next()
    })
  }

  #next(): void {
    while (this.#running < this.#most) {
      const [giver, queue] = this.#waiting.entries().next().value ?? []
      if (giver === undefined || queue === undefined) return
      const { start } = queue.shift()!
      this.#waiting.delete(giver)
      if (queue.length > 0) this.#waiting.set(giver, queue)
      this.#running++
      start()
    }
  }
}
