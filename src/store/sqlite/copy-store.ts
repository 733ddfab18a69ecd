/** The copies in SQLite: one thread writes, a few search, and the thread that answers requests does neither. */
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { stringifyJson } from '../../json.ts'
import type { ReadRecord } from '../copy.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import type { Bookkeeping, Store } from '../store.ts'
import type { FoundBytes } from './copy-searching.ts'
import { Threads } from './threads.ts'

export interface CopyThreads extends Pick<Store, 'leases' | 'ledgers' | 'overview' | 'schedule' | 'close'> {
  readonly copies: Omit<Store['copies'], 'select' | 'dialect'>
}

/** Longer texts stay the bytes that they are. */
const longText = 64 * 1024

/** How long a search may take; more is a question to be put otherwise. */
const defaultLimitMs = 10_000

export interface CopyThreadsOptions {
  readonly limitMs?: number
  readonly searchers?: number
  /** How large the file may grow. */
  readonly mostPages?: number | undefined
  /** Gives what to throw in place of an error of a write. */
  readonly told?: (error: unknown) => unknown
}

export function copyThreads(
  file: string,
  entities: readonly SearchableEntity[],
  {
    limitMs = defaultLimitMs,
    searchers = Math.max(2, Math.min(4, availableParallelism() - 1)),
    mostPages,
    told = (error) => error,
  }: CopyThreadsOptions = {},
): CopyThreads {
  const writer = new Threads({ role: 'write', file, entities, limitMs, mostPages }, 1)
  const pool = new Threads({ role: 'search', file, entities, limitMs }, searchers)
  /** Functions of a port, whose work the writing thread does. */
  const written = <Port extends keyof Bookkeeping, Name extends keyof Bookkeeping[Port] & string>(
    port: Port,
    ...names: readonly Name[]
  ) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...args: readonly unknown[]) =>
          writer.run(giverOf(args), `${port}.${name}`, args).catch((error: unknown) => {
            throw told(error)
          }),
      ]),
    ) as Pick<Bookkeeping[Port], Name>
  const { commit } = written('copies', 'commit')
  return {
    copies: {
      ...written('copies', 'begin', 'finish', 'fail', 'states', 'remove', 'purge', 'retire'),
      ...written('copies', 'unmetIds', 'passOver', 'countMissed', 'removeMissed'),
      commit: async (tenant, copy, lease, page) =>
        commit(tenant, copy, lease, { ...page, records: (await asTexts(page.records)) as never }),
      search: async (tenant, copy, query, signal) => {
        const found = await pool.run<FoundBytes>(copy.connectorId, 'search', [tenant, copy, query], signal)
        const hits = Buffer.from(found.hits.buffer)
        if (hits.length > longText) return { ...found, hits }
        const text = hits.toString()
        // Gives the memory back now, so that the next search writes to the same, which is still in the processor's cache.
        found.hits.buffer.transfer(0)
        return { ...found, hits: text }
      },
    },
    leases: written('leases', 'take', 'renew', 'release', 'revoke', 'tell', 'holder'),
    ledgers: written('ledgers', 'read', 'write'),
    overview: written('overview', 'read'),
    schedule: written('schedule', 'page'),
    async close() {
      await Promise.all([writer.close(), pool.close()])
    },
  }
}

/** The connector that work is for, or the ledger: nobody is kept waiting by another's many. */
function giverOf(args: readonly unknown[]): string {
  for (const given of args) {
    if (typeof given === 'string') return given
    const { connectorId } = (given ?? {}) as { readonly connectorId?: string }
    if (connectorId !== undefined) return connectorId
  }
  return ''
}

/** As text the records are with the thread in a third of the time that copying their objects takes. */
async function asTexts(records: readonly ReadRecord[]): Promise<string[]> {
  const texts: string[] = []
  for (const [place, record] of records.entries()) {
    // Others go on in between.
    if (place % recordsAtOnce === 0) await setImmediate()
    texts.push(stringifyJson(record))
  }
  return texts
}

const recordsAtOnce = 10
