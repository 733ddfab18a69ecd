/** A ledger that several nodes change: each change is made to what was read, and made again when another was faster. */
import type { CallLimit } from '../../catalog/limit.ts'
import type { LedgerStore } from '../settings.ts'
import { byClock, endOf, type Facts, type Ledger } from './ledger.ts'

/** One ledger, as a node uses it. */
export interface SharedLedger {
  /** The facts as this node saw them last. */
  known(): Facts
  /** Does work with the ledger after all such work that was given before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  read(): Promise<Facts>
  /** Makes a change; facts that stay as they are need not be written. To be called in order, so that calls of one node are not in each other's way. */
  change<T>(change: (facts: Facts) => { readonly facts: Facts; readonly result: T }): Promise<T>
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
  let known: { readonly ledger: Ledger; readonly version: number } = { ledger: { facts: [], at: 0 }, version: 0 }
  /** Whether that is more than the store has. */
  let unstored = false
  let last: Promise<unknown> = Promise.resolve()

  const seen = (): Facts => byClock(known.ledger, now())

  async function read(): Promise<Facts> {
    // What could not be stored before comes first: the store has less.
    if (unstored && (await write(known.ledger))) return seen()
    try {
      const found = await store.read(key)
      known =
        found === null
          ? { ledger: { facts: [], at: 0 }, version: 0 }
          : { ledger: JSON.parse(found.ledger) as Ledger, version: found.version }
    } catch (error) {
      onFailure(error)
    }
    return seen()
  }

  /** Writes in place of what is known; false where another node was faster. */
  async function write(ledger: Ledger): Promise<boolean> {
    const { version } = known
    const end = Math.max(ledger.at, ...ledger.facts.flatMap((fact) => limits.map((limit) => endOf(fact, limit))))
    try {
      const [at, until] = [now(), end].map((moment) => new Date(moment).toISOString())
      const isWritten = await store.write(key, JSON.stringify(ledger), version, at!, until!)
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
    known: seen,

    inOrder(work) {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },

    read,

    async change(change) {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        // Nobody else may have changed it since, and then one statement does.
        const before = attempt === 0 ? seen() : await read()
        const { facts, result } = change(before)
        // Facts that were put right by the clock are written too, so that they are put right once.
        if (attempt > 0 && facts === known.ledger.facts) return result
        if (facts !== known.ledger.facts && (await write({ facts, at: now() }))) return result
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
