/** A connection in use for a search, which ends when nobody waits for it any more. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { KeptStatements } from './kept-statements.ts'

const cancelAgainMs = 50

export class SearchConnection {
  readonly client: pg.PoolClient
  readonly #cancelling: Database
  readonly #signal: AbortSignal | undefined
  readonly #stop = () => {
    this.#cancelled = this.#cancel()
  }
  #isIdle = true
  #hasEnded = false
  #cancelled: Promise<void> | null = null

  constructor(client: pg.PoolClient, cancelling: Database, signal: AbortSignal | undefined) {
    this.client = client
    this.#cancelling = cancelling
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop, { once: true })
  }

  /**
   * Everything that the work reads is of one moment. Its first statements go with the one that begins the transaction, and
   * nobody waits for the one that ends it: a transaction that only reads has nothing to commit. Each of them may take so
   * long, or else as long as the connection says.
   */
  async reading<T extends readonly unknown[]>(
    statementMs: number | null,
    work: () => readonly [...{ [K in keyof T]: Promise<T[K]> }],
  ): Promise<T> {
    this.#isIdle = false
    const limit = statementMs === null ? '' : `; set local statement_timeout = ${statementMs}`
    const begun = this.client.query(`begin isolation level repeatable read read only${limit}`)
    const works = work()
    // All of them, even if one fails, since they share the connection.
    await Promise.allSettled([begun, ...works])
    await begun
    return (await Promise.all(works)) as unknown as T
  }

  /** Says it again until the search has ended, because the word stops nothing when it overtakes the statement it is meant for. */
  async #cancel(): Promise<void> {
    const { processID } = this.client as unknown as { readonly processID: number }
    while (!this.#hasEnded) {
      await this.#cancelling.run('select pg_cancel_backend($1)', processID).catch(() => {})
      await wait(cancelAgainMs)
    }
  }

  /** Gives the connection back, with nothing left in it that would hit the next one. */
  async end(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#hasEnded = true
    await this.#cancelled
    try {
      if (!this.#isIdle || this.#cancelled !== null) await this.client.query('rollback')
      await KeptStatements.of(this.client).giveUpSurplus(this.client)
      this.client.release()
    } catch {
      this.client.release(true)
    }
  }
}
