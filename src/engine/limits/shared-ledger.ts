/** A ledger that several nodes change: each change is made to what was read, and made again when another was faster. */

import type { CallLimit } from '../../catalog/limit.ts'
import type { LedgerStore } from '../settings.ts'
import { byClock, emptyLedger, endOf, type Ledger } from './ledger.ts'

/** What is read, and how to change it; a change that leaves the ledger as it is needs no writing. */
export type Change<T> = (ledger: Ledger) => { readonly ledger: Ledger; readonly result: T }

/** Others would have to be faster so many times in a row. */
const mostAttempts = 50

export class SharedLedger {
  readonly #store: LedgerStore
  readonly #key: string
  readonly #limits: readonly CallLimit[]
  readonly #now: () => number
  readonly #onFailure: (error: unknown) => void
  #known: { readonly ledger: Ledger; readonly version: number } | null = null
  /** Whether that is more than the store has. */
  #unstored = false
  #last: Promise<unknown> = Promise.resolve()

  /** `onFailure` is told when the store could not be read or written. */
  constructor(
    store: LedgerStore,
    key: string,
    limits: readonly CallLimit[],
    now: () => number,
    onFailure: (error: unknown) => void,
  ) {
    this.#store = store
    this.#key = key
    this.#limits = limits
    this.#now = now
    this.#onFailure = onFailure
  }

  /** The ledger as this node saw it last. */
  get known(): Ledger {
    return this.#known === null ? emptyLedger : byClock(this.#known.ledger, this.#now())
  }

  /** Does work with the ledger after all such work that was given before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async read(): Promise<Ledger> {
    return byClock((await this.#read()).ledger, this.#now())
  }

  /** Makes a change. To be called in turn, so that calls of one node are not in each other's way. */
  async change<T>(change: Change<T>): Promise<T> {
    // Nobody else may have changed it since, and then one statement does.
    let fresh = this.#known === null
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const { ledger: found, version } = fresh ? await this.#read() : this.#known!
      const before = byClock(found, this.#now())
      const { ledger, result } = change(before)
      // One that was put right is written too, so that it is put right once.
      if (ledger === found && fresh) return result
      if (ledger !== found && (await this.#write({ ...ledger, at: this.#now() }, version))) return result
      fresh = true
    }
    throw new Error('The count of calls could not be written: other nodes were faster each time.')
  }

  async #read(): Promise<{ readonly ledger: Ledger; readonly version: number }> {
    // What could not be stored before: what is there would be less.
    if (this.#unstored && (await this.#write(this.#known!.ledger, this.#known!.version))) return this.#known!
    let found: Awaited<ReturnType<LedgerStore['read']>>
    try {
      found = await this.#store.read(this.#key)
    } catch (error) {
      this.#onFailure(error)
      this.#known ??= { ledger: emptyLedger, version: 0 }
      return this.#known
    }
    this.#known =
      found === null
        ? { ledger: emptyLedger, version: 0 }
        : { ledger: JSON.parse(found.ledger) as Ledger, version: found.version }
    return this.#known
  }

  async #write(ledger: Ledger, version: number): Promise<boolean> {
    const [now, end] = [this.#now(), endOf(ledger, this.#limits)].map((moment) => new Date(moment).toISOString())
    try {
      if (!(await this.#store.write(this.#key, JSON.stringify(ledger), version, now!, end!))) {
        this.#unstored = false
        return false
      }
      this.#known = { ledger, version: version + 1 }
      this.#unstored = false
    } catch (error) {
      // No call fails for being counted: until the store takes it again, this node counts for itself.
      this.#onFailure(error)
      this.#known = { ledger, version }
      this.#unstored = true
    }
    return true
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
