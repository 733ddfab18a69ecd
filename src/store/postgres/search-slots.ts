/** Lets so many searches run at a time, fair between the connectors that they are about. */
import { FairQueue } from '../fair-queue.ts'

export class SearchSlots {
  #free: number
  readonly #waiting = new FairQueue<() => void>()

  constructor(slots: number) {
    this.#free = slots
  }

  async run<T>(connectorId: string, search: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    await this.#wait(connectorId, signal)
    try {
      return await search()
    } finally {
      this.#free++
      this.#next()
    }
  }

  #wait(connectorId: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (this.#waiting.remove(connectorId, start)) reject(signal!.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(connectorId, start)
      this.#next()
    })
  }

  #next(): void {
    while (this.#free > 0) {
      const start = this.#waiting.take()
      if (start === undefined) return
      this.#free--
      start()
    }
  }
}
