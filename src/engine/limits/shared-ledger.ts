/** A ledger that several nodes change: each change is made to what was read, and made again when another was faster. */
import type { CallLimit } from '../../catalog/limit.ts'
import type { LedgerStore } from '../settings.ts'
import { CallCount, type Ledger } from './call-count.ts'

/** One ledger, as a node uses it. */
export type SharedLedger = ReturnType<typeof shareLedger>

/** Others would have to be faster so many times in a row. */
const mostAttempts = 50

/** `onFailure` is told when the store could not be read or written. */
export function shareLedger(
  store: LedgerStore,
  key: string,
  limits: readonly CallLimit[],
  now: () => number,
  onFailure: (error: unknown) => void,
) {
  const none = { ledger: { facts: [], at: 0 }, version: 0 }
  let known: { readonly ledger: Ledger; readonly version: number } = none
  /** Whether that is more than the store has. */
  let unstored = false
  let last: Promise<unknown> = Promise.resolve()

  /** The count as this node saw it last. */
  const seen = (): CallCount => new CallCount(limits, known.ledger, now())

  async function read(): Promise<CallCount> {
    // What could not be stored before comes first: the store has less.
    if (unstored && (await write(seen()))) return seen()
    try {
      const found = await store.read(key)
      known = found === null ? none : { ledger: JSON.parse(found.ledger) as Ledger, version: found.version }
    } catch (error) {
      onFailure(error)
    }
    return seen()
  }

  /** Replaces the known version; false if another node was faster. */
  async function write({ facts, end }: CallCount): Promise<boolean> {
    const { version } = known
    const ledger = { facts, at: now() }
    try {
      const [at, until] = [ledger.at, end].map((moment) => new Date(moment).toISOString())
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
    seen,

    read,

    /** Does work with the ledger after all such work that was given before. */
    inOrder<T>(work: () => Promise<T>): Promise<T> {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },

    /** Makes a change, to be called in order: calls of one node are then not in each other's way. */
    async change<T>(change: (count: CallCount) => T): Promise<T> {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        // Nobody else may have changed it since, and then one statement does.
        const count = attempt === 0 ? seen() : await read()
        const result = change(count)
        // A correction by the clock counts as a change, so that it is made once.
        const isChanged = count.facts !== known.ledger.facts
        if (isChanged ? await write(count) : attempt > 0) return result
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
