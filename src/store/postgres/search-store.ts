/** Searching in PostgreSQL: on connections of its own, within a time limit, and no longer than somebody waits. */
import { ConexError } from '../../errors.ts'
import { stringifyJson } from '../../json.ts'
import type { Query } from '../../search/query.ts'
import { type CopyKey, type CopyStore, type Found, nothingCopied, type SearchedState } from '../copy.ts'
import { queryFor } from '../older-copy.ts'
import { lastErrorOf } from '../sql/copy-rows.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyTables } from './copy-table.ts'
import { Database, sessionOf } from './database.ts'
import { KeptStatements } from './kept-statements.ts'
import { begun } from './search-asked.ts'
import { type CopyState, searchAtOnce } from './search-at-once.ts'
import { SearchConnection } from './search-connection.ts'
import { copyValues, findCopy, tableOf } from './search-copies.ts'
import { KnownCopies, type KnownCopy } from './search-known.ts'
import { type HitsPage, runSearch } from './search-run.ts'
import { FrequentWords } from './search-shares.ts'
import { SlowSearches } from './search-slow.ts'
import { Turns } from './turns.ts'

export interface SearchOptions {
  readonly limitMs: number
  /** How many searches run at a time. */
  readonly searchers: number
}

/**
 * Nearly all searches are done in this time. One that is not begins again among those that take long, of which each node runs
 * one at a time: more of them at once would take no less time together, and all that time from everybody else.
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

/** `cancelling` is another pool, so that the word to stop does not wait behind the searches. */
export function copySearch(
  database: Database,
  cancelling: Database,
  tables: CopyTables,
  { limitMs, searchers }: SearchOptions,
): Pick<CopyStore, 'search'> {
  const short = new Turns(Math.max(1, searchers - mostLong))
  const long = new Turns(mostLong)
  const known = new KnownCopies()
  const words = new FrequentWords(cancelling)
  const slow = new SlowSearches()

  interface Asked {
    readonly tenant: Tenant
    readonly key: CopyKey
    readonly query: Query
    readonly signal: AbortSignal | undefined
  }

  /** Null when the copy is another by now than the one that was known. */
  async function attempt({ tenant, key, query, signal }: Asked, mayTakeMs: number): Promise<Found | null> {
    const client = await database.pool.connect()
    const connection = new SearchConnection(client, cancelling, signal)
    try {
      const end = performance.now() + mayTakeMs
      const tick = () => {
        signal?.throwIfAborted()
        if (performance.now() > end) throw new TookTooLong()
      }
      tick()
      const own = tables.get(key.kind, key.entity)
      const [session, kept] = [sessionOf(client), sessionOf(client, KeptStatements.of(client))]
      const given = async ({ number, records, records_table }: KnownCopy) => {
        const table = await tableOf(session, tables, own, records_table)
        const asked = table === own ? query : queryFor(query, own.searchable, table.searchable)
        const copy = { connectorId: key.connectorId, entity: key.entity, number, records }
        return begun({ session, kept, table, copy, shares: words.sharesIn(table, records), query: asked, tick })
      }
      // No copy has this number.
      const noCopy: KnownCopy = { number: 0, records: 0, records_table: own.id }
      const guess = known.get(tenant, key)
      const isShort = mayTakeMs <= shortMs
      const found: readonly [HitsPage, CopyState | null] =
        (guess === undefined || !isShort
          ? null
          : await searchAtOnce(await given(guess), copyValues(tenant, key, own))) ??
        (await connection.reading<[HitsPage, CopyState | null]>(isShort ? null : wholeMs(mayTakeMs), () => {
          // Where the copy is known, the search does not wait for what is asked about it.
          const asked = findCopy(kept, tenant, key, own)
          return [
            (guess === undefined ? asked.then((copy) => given(copy ?? noCopy)) : given(guess)).then(runSearch),
            asked,
          ]
        }))
      // The word to stop may have come between two statements, where it stops none.
      signal?.throwIfAborted()
      const [page, copy] = found
      known.set(tenant, key, copy)
      if (guess !== undefined && guess.number !== copy?.number) return null
      return { ...page, state: copy === null ? nothingCopied : stateOf(copy) }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      // The copy that was known was in a table of a version that has gone.
      if ((error as { code?: string }).code === undefinedTable && known.get(tenant, key) !== undefined) {
        known.set(tenant, key, null)
        return null
      }
      throw (error as { code?: string }).code === queryCanceled ? new TookTooLong() : error
    } finally {
      // Nobody has to wait for it.
      void connection.end()
    }
  }

  async function within(asked: Asked, mayTakeMs: number): Promise<Found> {
    for (;;) {
      const found = await attempt(asked, mayTakeMs)
      if (found !== null) return found
    }
  }

  return {
    async search(tenant, key, query, signal) {
      const asked = { tenant, key, query, signal }
      const name = JSON.stringify([key, stringifyJson([query.filter, query.sort])])
      try {
        if (!slow.has(name)) {
          const inShort = short.run(key.connectorId, () => within(asked, Math.min(limitMs, shortMs)), signal)
          const found = await inShort.catch((error: unknown) => {
            if (!(error instanceof TookTooLong) || limitMs <= shortMs) throw error
            return null
          })
          if (found !== null) return found
          slow.add(name)
        }
        return await long.run(key.connectorId, () => slow.timed(name, shortMs, () => within(asked, limitMs)), signal)
      } catch (error) {
        throw error instanceof TookTooLong ? tooSlow(limitMs) : error
      }
    },
  }
}

const stateOf = (copy: CopyState): SearchedState => ({
  records: copy.records,
  syncedAt: copy.synced_at,
  complete: Boolean(copy.complete),
  lastError: lastErrorOf(copy),
})

class TookTooLong extends Error {}

const queryCanceled = '57014'
const undefinedTable = '42P01'

const tooSlow = (limitMs: number): ConexError =>
  new ConexError(
    'invalid_query',
    `The search was ended after ${limitMs / 1000} seconds; narrow it, for example by a field that must equal something, or ask for fewer hits.`,
    { issues: [{ path: '/params/query', message: `takes longer than ${limitMs / 1000} seconds` }] },
  )
