/** Searching in PostgreSQL: on connections of its own, within a time limit, and no longer than somebody waits. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { ConexError } from '../../errors.ts'
import type { Query } from '../../search/query.ts'
import type { CopyKey, CopyStore, Found } from '../copy.ts'

import type { Tenant } from '../store.ts'
import { findCopy } from './copy-owner.ts'
import type { CopyTables } from './copy-table.ts'
import { Database, sessionOf } from './database.ts'
import { KnownCopies, type KnownCopy, noCopy } from './search-known.ts'
import { runSearch } from './search-run.ts'
import { Turns } from './turns.ts'

export interface SearchOptions {
  readonly limitMs: number
  /** How many searches run at a time. */
  readonly searchers: number
}

/** The connections of searches. */
export const searchDatabase = (url: string, { limitMs, searchers }: SearchOptions): Database =>
  new Database(url, {
    connections: searchers,
    statementMs: Math.max(1, Math.round(limitMs)),
    pipeline: true,
    // Compiling a search to machine code takes longer than most searches, and no search is meant to read what belongs to
    // all connectors.
    settings: { jit: 'off', enable_seqscan: 'off' },
  })

/** `cancelling` is another pool, so that the word to stop does not wait behind the searches. */
export function copySearch(
  database: Database,
  cancelling: Database,
  tables: CopyTables,
  { limitMs, searchers }: SearchOptions,
): Pick<CopyStore, 'search'> {
  const turns = new Turns(searchers)
  const known = new KnownCopies()

  /** Null when the copy is another by now than the one that was known. */
  async function attempt(tenant: Tenant, key: CopyKey, query: Query, signal?: AbortSignal): Promise<Found | null> {
    const client = await database.pool.connect()
    const running = new Running(client, cancelling, signal)
    try {
      const end = performance.now() + limitMs
      const tick = () => {
        signal?.throwIfAborted()
        if (performance.now() > end) throw tooSlow(limitMs)
      }
      const session = sessionOf(client)
      const kept = sessionOf(client, 'kept')
      const run = ({ number, records }: KnownCopy) => {
        const copy = { connectorId: key.connectorId, entity: key.entity, number, records }
        return runSearch({ session, kept, table: tables.get(key.kind, key.entity), copy, query, tick })
      }
      // One snapshot, so that hits and state are of one moment. Where the copy is known, none of the three waits for another.
      const begun = client.query('begin isolation level repeatable read read only')
      const asked = findCopy(kept, tenant, key)
      const guess = known.get(tenant, key)
      const hits = guess === undefined ? asked.then((row) => run(row ?? noCopy)) : run(guess)
      const [, row, page] = await all([begun, asked, hits])
      // The word to stop may have come between two statements, where it stops none.
      signal?.throwIfAborted()
      known.set(tenant, key, row)
      if (guess !== undefined && guess.number !== row?.number) return null
      return { ...page, state: { syncedAt: row?.synced_at ?? null, complete: row?.complete ?? false } }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw (error as { code?: string }).code === queryCanceled ? tooSlow(limitMs) : error
    } finally {
      // Nobody has to wait for it: a transaction that only reads has nothing to commit.
      void running.end()
    }
  }

  return {
    search(tenant, key, query, signal) {
      const work = async () => {
        for (;;) {
          const found = await attempt(tenant, key, query, signal)
          if (found !== null) return found
        }
      }
      return turns.run(key.connectorId, work, signal)
    },
  }
}

/** Waits for all of them, even if one fails, since they share a connection; fails like the first that does. */
async function all<T extends readonly unknown[]>(
  promises: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(promises)
  return Promise.all(promises) as unknown as Promise<T>
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
