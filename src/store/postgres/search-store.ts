/** Searching in PostgreSQL: on connections of its own, within a time limit, and no longer than somebody waits. */
import { ConexError } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'
import type { RecordTable } from '../copies/record-table.ts'
import { searchedCopy } from '../copies/searched-copy.ts'
import type { Found, SearchCopy } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import { queryFor } from '../older-copy.ts'
import type { Work } from '../search/dialect.ts'
import { runSearch } from '../search/run.ts'
import { Database, Session } from './database.ts'
import { answered } from './queries.ts'
import { SearchConnection } from './search-connection.ts'
import { postgresDialect } from './search-dialect.ts'
import { TokenSelectivity } from './token-selectivity.ts'

export interface SearchOptions {
  readonly limitMs: number
  /** How many searches run at a time. */
  readonly searchers: number
}

/**
 * Nearly all searches are done in this time. One that is not begins again among those that take long, of which each node runs
 * one at a time: four at once on two processors ended no sooner, and everybody else waited five times as long.
 */
const shortMs = 100
const mostLong = 1

/** The connections of searches. */
export const searchDatabase = (url: string, { limitMs, searchers }: SearchOptions): Database =>
  new Database(url, {
    connections: searchers,
    statementMs: wholeMs(Math.min(limitMs, shortMs)),
    pipeline: true,
    settings: {
      // Compiling a search to machine code takes longer than most searches.
      jit: 'off',
      // No search is meant to read what belongs to all connectors.
      enable_seqscan: 'off',
      // One search is not to have several processors.
      max_parallel_workers_per_gather: '0',
    },
  })

const wholeMs = (ms: number): number => Math.max(1, Math.round(ms))

/** Hits of more characters are given as bytes. */
const longHits = 64 * 1024

/** `cancelling` is another pool, so that the word to stop does not wait behind the searches. */
export function copySearch(
  database: Database,
  cancelling: Database,
  tables: EntityTables<RecordTable>,
  { limitMs, searchers }: SearchOptions,
): { readonly search: SearchCopy } {
  const short = new Semaphore(Math.max(1, searchers - mostLong))
  const long = new Semaphore(mostLong)
  const selectivity = new TokenSelectivity(cancelling)

  async function search(
    ...[tenant, key, query, signal, mayTakeMs]: [...Parameters<SearchCopy>, number]
  ): Promise<Found> {
    const end = performance.now() + mayTakeMs
    const tick = () => {
      signal?.throwIfAborted()
      if (performance.now() > end) throw new TookTooLong()
    }
    tick()
    const client = await database.pool.connect()
    const connection = new SearchConnection(client, cancelling, signal)
    try {
      const session = new Session(client)
      // Everything is read of one moment. The first statements are sent together.
      const [, { table, copy, state }] = await Promise.all([
        client.query(
          `begin isolation level repeatable read read only; set local statement_timeout = ${wholeMs(mayTakeMs)}`,
        ),
        answered(new Session(client, 'once'), searchedCopy(tables, tenant, key)),
      ])
      const asked = queryFor(query, tables.get(key.kind, key.entity).searchable, table.searchable)
      const frequent = await selectivity.frequent(table)
      const page = await run(session, runSearch(postgresDialect(table, copy, frequent), asked), tick)
      return { ...page, hits: page.hits.length > longHits ? Buffer.from(page.hits) : page.hits, state }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const { code } = error as { readonly code?: string }
      throw code === queryCanceled ? new TookTooLong() : error
    } finally {
      // Nobody has to wait for it.
      void connection.end()
    }
  }

  return {
    async search(tenant, key, query, signal) {
      const within = (slots: Semaphore, ms: number) =>
        slots.run(
          key.connectorId,
          () =>
            search(tenant, key, query, signal, ms).catch((error: { readonly code?: string }) => {
              if (error.code !== undefinedTable) throw error
              // The table was of a version that has gone by now, and so has the copy in it.
              return search(tenant, key, query, signal, ms)
            }),
          signal,
        )
      try {
        return await within(short, Math.min(limitMs, shortMs)).catch((error: unknown) => {
          if (!(error instanceof TookTooLong) || limitMs <= shortMs) throw error
          return within(long, limitMs)
        })
      } catch (error) {
        throw error instanceof TookTooLong ? tooSlow(limitMs) : error
      }
    },
  }
}

async function run<Result>(session: Session, work: Work<Result>, tick: () => void): Promise<Result> {
  for (let next = work.next(); ; tick()) {
    if (next.done === true) return next.value
    const { sql, bind } = next.value
    next = work.next(await session.rows(sql, bind.values))
  }
}

class TookTooLong extends Error {}

const queryCanceled = '57014'
const undefinedTable = '42P01'

const tooSlow = (limitMs: number): ConexError =>
  new ConexError(
    'invalid_query',
    `The search was ended after ${limitMs / 1000} seconds; narrow it, for example by a field that must equal something, or ask for fewer hits.`,
    { issues: [{ path: '/params/query', message: `takes longer than ${limitMs / 1000} seconds` }] },
  )
