/** Searching in PostgreSQL: on connections of its own, within a time limit, and no longer than somebody waits. */
import { ConexError } from '../../errors.ts'
import type { Query } from '../../search/query.ts'
import type { CopyKey, CopyStore, Found } from '../copy.ts'
import type { Tenant } from '../store.ts'
import { type CopyRow, copyValues, findCopy } from './copy-owner.ts'
import type { CopyTables } from './copy-table.ts'
import { Database, sessionOf } from './database.ts'
import { begun, type Search } from './search-asked.ts'
import { searchAtOnce } from './search-at-once.ts'
import { SearchConnection } from './search-connection.ts'
import { KnownCopies, type KnownCopy, noCopy } from './search-known.ts'
import { type HitsPage, runSearch } from './search-run.ts'
import { FrequentWords } from './search-shares.ts'
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
  const words = new FrequentWords(cancelling)

  /** Null when the copy is another by now than the one that was known. */
  async function attempt(tenant: Tenant, key: CopyKey, query: Query, signal?: AbortSignal): Promise<Found | null> {
    const client = await database.pool.connect()
    const connection = new SearchConnection(client, cancelling, signal)
    try {
      const end = performance.now() + limitMs
      const tick = () => {
        signal?.throwIfAborted()
        if (performance.now() > end) throw tooSlow(limitMs)
      }
      tick()
      const table = tables.get(key.kind, key.entity)
      const [session, kept] = [sessionOf(client), sessionOf(client, 'kept')]
      const given = ({ number, records }: KnownCopy) => {
        const copy = { connectorId: key.connectorId, entity: key.entity, number, records }
        return begun({ session, kept, table, copy, shares: words.sharesIn(table, records), query, tick })
      }
      const guess = known.get(tenant, key)
      const found =
        (guess === undefined ? null : await searchAtOnce(given(guess), copyValues(tenant, key))) ??
        (await atLength(connection, () => findCopy(kept, tenant, key), guess, given))
      // The word to stop may have come between two statements, where it stops none.
      signal?.throwIfAborted()
      const { page, copy } = found
      known.set(tenant, key, copy)
      if (guess !== undefined && guess.number !== copy?.number) return null
      return { ...page, state: { syncedAt: copy?.synced_at ?? null, complete: copy?.complete ?? false } }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw (error as { code?: string }).code === queryCanceled ? tooSlow(limitMs) : error
    } finally {
      // Nobody has to wait for it.
      void connection.end()
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

/** In as many statements as it takes. Where the copy is known, the search does not wait for what is asked about it. */
async function atLength(
  connection: SearchConnection,
  find: () => Promise<CopyRow | null>,
  guess: KnownCopy | undefined,
  given: (copy: KnownCopy) => Search,
): Promise<{ page: HitsPage; copy: CopyRow | null }> {
  const [copy, page] = await connection.reading<[CopyRow | null, HitsPage]>(() => {
    const asked = find()
    return [
      asked,
      guess === undefined ? asked.then((copy) => runSearch(given(copy ?? noCopy))) : runSearch(given(guess)),
    ]
  })
  return { page, copy }
}

const queryCanceled = '57014'
const tooSlow = (limitMs: number): ConexError =>
  new ConexError(
    'invalid_query',
    `The search was ended after ${limitMs / 1000} seconds; narrow it, for example by a field that must equal something, or ask for fewer hits.`,
    { issues: [{ path: '/params/query', message: `takes longer than ${limitMs / 1000} seconds` }] },
  )
