/** A ledger that several nodes change: each change is made to what was read, and made again when another was faster. */

import type { CallLimit } from '../../catalog/limit.ts'
import type { LedgerStore } from '../settings.ts'
import { byClock, emptyLedger, endOf, type Ledger } from './ledger.ts'

/** Changes the ledger that was read; one that stays as it is need not be written. */
export type Change<T> = (ledger: Ledger) => { readonly ledger: Ledger; readonly result: T }

/** One ledger, as a node uses it. */
export interface SharedLedger {
  /** The ledger as this node saw it last. */
  known(): Ledger
  /** Does work with the ledger after all such work that was given before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  read(): Promise<Ledger>
  /** Makes a change. To be called in order, so that calls of one node are not in each other's way. */
  change<T>(change: Change<T>): Promise<T>
}

/** Others would have to be faster so many times in a row. */
const mostAttempts = 50

/** `onFailure` is told when the store could not be read or written. */
export function shareLedger(
  store: LedgerStore,
  key: string,
  limits: readonly CallLimit[],
  now: () => number,
  onFailure: (error: unknown) => void,
): SharedLedger {
  interface Version {
    readonly ledger: Ledger
    readonly version: number
  }
  let known: Version | null = null
  /** Whether that is more than the store has. */
  let unstored = false
  let last: Promise<unknown> = Promise.resolve()

  async function read(): Promise<Version> {
    // What could not be stored before comes first: the store has less.
    if (unstored && (await write(known!.ledger, known!.version))) return known!
    try {
      const found = await store.read(key)
      known =
        found === null
          ? { ledger: emptyLedger, version: 0 }
          : { ledger: JSON.parse(found.ledger) as Ledger, version: found.version }
    } catch (error) {
      onFailure(error)
      known ??= { ledger: emptyLedger, version: 0 }
    }
    return known
  }

  /** False where another node was faster. */
  async function write(ledger: Ledger, version: number): Promise<boolean> {
    const [at, end] = [now(), endOf(ledger, limits)].map((moment) => new Date(moment).toISOString())
    try {
      const isWritten = await store.write(key, JSON.stringify(ledger), version, at!, end!)
      unstored = false
      if (isWritten) known = { ledger, version: version + 1 }
      return isWritten
    } catch (error) {
      // No call fails for being counted: until the store takes it again, this node counts for itself.
      onFailure(error)
      known = { ledger, version }
      unstored = true
      return true
    }
  }

  return {
    known: () => (known === null ? emptyLedger : byClock(known.ledger, now())),

    inOrder(work) {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },

    read: async () => byClock((await read()).ledger, now()),

    async change(change) {
      // Nobody else may have changed it since, and then one statement does.
      let isFresh = known === null
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        const { ledger: found, version } = isFresh ? await read() : known!
        const { ledger, result } = change(byClock(found, now()))
        // One that was put right is written too, so that it is put right once.
        if (ledger === found && isFresh) return result
        if (ledger !== found && (await write({ ...ledger, at: now() }, version))) return result
        isFresh = true
      }
      throw new Error('The count of calls could not be written: other nodes were faster each time.')
    },
  }
}

/** Ledgers of one process alone. */
export function ledgersInMemory(most = 10_000): LedgerStore {
  const kept = new Map<string, { readonly ledger: string; readonly version: number }>()
  return {
    read: async (key) => kept.get(key) ?? null,
    async write(key, ledger, version) {
      if ((kept.get(key)?.version ?? 0) !== version) return false
      // Set anew, so that the first key is always the one changed longest ago.
      kept.delete(key)
      kept.set(key, { ledger, version: version + 1 })
      if (kept.size > most) kept.delete(kept.keys().next().value!)
      return true
    },
  }
}
