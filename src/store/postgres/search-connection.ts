/** A connection that a search uses; the search ends when no caller waits for it any more. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'

const cancelAgainMs = 50

export class SearchConnection {
  readonly #client: pg.PoolClient
  readonly #cancelling: Database
  readonly #signal: AbortSignal | undefined
  readonly #stop = () => {
    this.#cancelled = this.#cancel()
  }
  #hasEnded = false
  #cancelled: Promise<void> | null = null

  constructor(client: pg.PoolClient, cancelling: Database, signal: AbortSignal | undefined) {
    this.#client = client
    this.#cancelling = cancelling
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop, { once: true })
  }

  /**
   * Repeats the cancellation until the search has ended, because one that arrives before its statement stops nothing.
   */
  async #cancel(): Promise<void> {
    const { processID } = this.#client as unknown as { readonly processID: number }
    while (!this.#hasEnded) {
      await this.#cancelling.run('select pg_cancel_backend($1)', processID).catch(() => {})
      await wait(cancelAgainMs)
    }
  }

  /** Returns the connection, with no cancellation left that would hit the next search. */
  async end(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#hasEnded = true
    await this.#cancelled
    await this.#client.query('rollback').then(
      () => this.#client.release(),
      () => this.#client.release(true),
    )
  }
}
