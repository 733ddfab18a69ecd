/** The copies in SQLite: one thread writes, a few search, and the thread that answers requests does neither. */
import { availableParallelism } from 'node:os'
import { stringifyJson } from '../../json.ts'
import { takeTurns } from '../../turns.ts'
import type { CopyStore, ReadRecord } from '../copy.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import type { LeaseStore } from '../leases.ts'
import type { LedgerStore } from '../ledgers.ts'
import type { ScheduleStore } from '../schedule.ts'
import type { CopyWriting, FoundBytes } from './copy-functions.ts'
import type { Refused, SweepStep } from './copy-sweeps.ts'
import { Threads } from './threads.ts'

export interface CopyThreads {
  readonly copies: CopyStore
  readonly leases: LeaseStore
  readonly ledgers: LedgerStore
  readonly schedule: ScheduleStore
  close(): Promise<void>
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
  const write = <Name extends keyof CopyWriting>(
    connectorId: string,
    name: Name,
    ...args: Parameters<CopyWriting[Name]>
  ) =>
    writer.run<ReturnType<CopyWriting[Name]>>(connectorId, name, args).catch((error: unknown) => {
      throw told(error)
    })
  return {
    copies: {
      begin: (tenant, copy, ...rest) => write(copy.connectorId, 'begin', tenant, copy, ...rest),
      checkpoint: (tenant, copy, part) => write(copy.connectorId, 'checkpoint', tenant, copy, part),
      async commit(tenant, copy, lease, { records, gone }, next) {
        const page = { records: await asTexts(records), gone }
        return write(copy.connectorId, 'commit', tenant, copy, lease, page, next)
      },
      report: (tenant, copy, ...rest) => write(copy.connectorId, 'report', tenant, copy, ...rest),
      knownIds: (tenant, copy, ...rest) => write(copy.connectorId, 'knownIds', tenant, copy, ...rest),
      unmetIds: (tenant, copy, ...rest) => write(copy.connectorId, 'unmetIds', tenant, copy, ...rest),
      async sweep(tenant, copy, lease, options) {
        let [removed, missing] = [0, 0]
        for (let after: string | null = null; ; ) {
          const step: SweepStep | Refused = await write(copy.connectorId, 'sweep', tenant, copy, lease, options, after)
          if ('outcome' in step) return step
          removed += step.removed
          missing += step.missing
          if (step.last === null) return { outcome: 'swept', removed, missing }
          after = step.last
        }
      },
      finish: (tenant, copy, ...rest) => write(copy.connectorId, 'finish', tenant, copy, ...rest),
      fail: (tenant, copy, ...rest) => write(copy.connectorId, 'fail', tenant, copy, ...rest),
      states: (tenant, connectorId) => write(connectorId, 'states', tenant, connectorId),
      remove: (tenant, connectorId) => write(connectorId, 'remove', tenant, connectorId),
      purge: (atMost) => write('', 'purge', atMost),
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
    leases: {
      take: (tenant, connectorId, ...rest) => write(connectorId, 'take', tenant, connectorId, ...rest),
      renew: (lease, until) => write(lease.connectorId, 'renew', lease, until),
      release: (lease) => write(lease.connectorId, 'release', lease),
      revoke: (tenant, connectorId) => write(connectorId, 'revoke', tenant, connectorId),
      holder: (tenant, connectorId, ...rest) => write(connectorId, 'holder', tenant, connectorId, ...rest),
    },
    ledgers: {
      read: (key) => write(key, 'readLedger', key),
      write: (key, ...rest) => write(key, 'writeLedger', key, ...rest),
    },
    schedule: { page: (...page) => write('', 'schedule', ...page) },
    async close() {
      await Promise.all([writer.close(), pool.close()])
    },
  }
}

/** As text the records are with the thread in a third of the time that copying their objects takes. */
async function asTexts(records: readonly ReadRecord[]): Promise<string[]> {
  const texts: string[] = []
  const turn = takeTurns()
  for (const record of records) {
    texts.push(stringifyJson(record))
    const others = turn()
    if (others !== undefined) await others
  }
  return texts
}
