/** Searching in PostgreSQL: on connections of its own, within a time limit, and no longer than somebody waits. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { ConexError } from '../../errors.ts'
import type { CopyStore } from '../copy.ts'
import { findCopy } from './copy-owner.ts'
import type { CopyTables } from './copy-table.ts'
import { type Database, sessionOf } from './database.ts'
import { runSearch } from './search-run.ts'
import { Turns } from './turns.ts'

export interface SearchOptions {
  readonly limitMs: number
  /** How many searches run at a time. */
  readonly searchers: number
}

/** `cancelling` is another pool, so that the word to stop does not wait behind the searches. */
export function copySearch(
  database: Database,
  cancelling: Database,
  tables: CopyTables,
  { limitMs, searchers }: SearchOptions,
): Pick<CopyStore, 'search'> {
  const turns = new Turns(searchers)
  return {
    search(tenant, key, query, signal) {
      const table = tables.get(key.kind, key.entity)
      const work = async () => {
        const client = await database.pool.connect()
        const running = new Running(client, cancelling, signal)
        try {
          const end = performance.now() + limitMs
          const tick = () => {
            signal?.throwIfAborted()
            if (performance.now() > end) throw tooSlow(limitMs)
          }
          // One snapshot, so that hits and state are of one moment. Compiling a search to machine code takes longer than most
          // searches, and no search is meant to read what belongs to all connectors.
          await client.query(
            `begin isolation level repeatable read read only; set local statement_timeout = ${Math.max(1, Math.round(limitMs))}; set local jit = off; set local enable_seqscan = off`,
          )
          const session = sessionOf(client)
          const row = await findCopy(session, tenant, key)
          tick()
          const { number, records } = row ?? { number: 0, records: 0 }
          const copy = { connectorId: key.connectorId, entity: key.entity, number, records }
          const page = await runSearch(session, table, copy, query, tick)
          // The word to stop may have come between two statements, where it stops none.
          signal?.throwIfAborted()
          return { ...page, state: { syncedAt: row?.synced_at ?? null, complete: row?.complete ?? false } }
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          throw (error as { code?: string }).code === queryCanceled ? tooSlow(limitMs) : error
        } finally {
          // Nobody has to wait for it: a transaction that only reads has nothing to commit.
          void running.end()
        }
      }
      return turns.run(key.connectorId, work, signal)
    },
  }
}

const queryCanceled = '57014'
const cancelAgainMs = 50

/** A connection in use for a search, which ends when nobody waits for it any more. */
class Running {
  readonly #client: pg.PoolClient
  readonly #cancelling: Database
  readonly #signal: AbortSignal | undefined
  readonly #stop = () => {
    this.#cancelled = this.#cancel()
  }
  readonly #ended = new AbortController()
  #cancelled: Promise<void> = Promise.resolve()

  constructor(client: pg.PoolClient, cancelling: Database, signal: AbortSignal | undefined) {
    this.#client = client
    this.#cancelling = cancelling
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop, { once: true })
  }

  /** Says it again until the search has ended, because the word stops nothing when it overtakes the statement it is meant for. */
  async #cancel(): Promise<void> {
    const { processID } = this.#client as unknown as { readonly processID: number }
    while (!this.#ended.signal.aborted) {
      await this.#cancelling.run('select pg_cancel_backend($1)', processID).catch(() => {})
      await wait(cancelAgainMs, undefined, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  /** Gives the connection back, with nothing left in it that would hit the next one. */
  async end(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#ended.abort()
    await this.#cancelled
    const broken = await this.#client.query('rollback').then(
      () => false,
      () => true,
    )
    this.#client.release(broken)
  }
}

const tooSlow = (limitMs: number): ConexError =>
  new ConexError(
    'invalid_query',
    `The search was ended after ${limitMs / 1000} seconds; narrow it, for example by a field that must equal something, or ask for fewer hits.`,
    { issues: [{ path: '/params/query', message: `takes longer than ${limitMs / 1000} seconds` }] },
  )
