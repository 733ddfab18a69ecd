/**
 * Holds new credentials from the moment the system issues them until the store has them. A failed write must not lose
 * them, because the system may have forgotten the old ones.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ConexError } from '../errors.ts'
import type { Log } from '../log.ts'

/** The key of credentials that replace this version. */
export const unsavedKey = (connectorId: string, version: number): string => `connector ${connectorId} ${version}`

interface Held {
  readonly sealed: string
  /** Resolves when they no longer need to be held; never rejects. */
  readonly saved: Promise<void>
}

/** How long the call that got them waits for the store, in milliseconds. The saving itself continues. */
const patience = 2_000
/** How long other calls wait for the store. */
const longestWait = 10_000
const shortestPause = 100
const longestPause = 2_000

export class Unsaved {
  readonly #held = new Map<string, Held>()
  readonly #log: Log
  #closed = false

  constructor(log: Log) {
    this.#log = log
  }

  /** The credentials under this key, sealed for their row. */
  find(key: string): string | undefined {
    return this.#held.get(key)?.sealed
  }

  /**
   * Writes, and repeats a failed write. Returns the answer of the store, or null if it failed or takes long; calls
   * `ended` once the store has answered.
   */
  async save<T>(
    key: string,
    sealed: string,
    write: () => Promise<T>,
    ended: () => Promise<void> = async () => {},
  ): Promise<T | null> {
    const patient = new AbortController()
    const answered = this.#untilWritten(key, write, () => patient.abort())
    const saved = answered.then(
      () => {
        this.#held.delete(key)
        return ended()
      },
      () => {},
    )
    this.#held.set(key, { sealed, saved })
    const late = wait(patience, null, { signal: patient.signal }).catch(() => null)
    const first = await Promise.race([answered, late])
    patient.abort()
    return first
  }

  /** Waits until nothing is held under this key; throws if that takes too long. */
  async saved(key: string): Promise<void> {
    const held = this.#held.get(key)
    if (held === undefined) return
    await Promise.race([held.saved, wait(longestWait, undefined, { ref: false })])
    if (this.#held.has(key))
      throw new ConexError(
        'internal',
        'The server cannot store the newest credentials of this connector, and changes nothing until it has; repeat the request later.',
      )
  }

  /** Waits for the store, at most this long. Logs everything that could not be saved. */
  async close(graceMs: number): Promise<void> {
    const all = Promise.all([...this.#held.values()].map(({ saved }) => saved))
    const late = new AbortController()
    await Promise.race([all, wait(graceMs, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    this.#closed = true
    for (const key of this.#held.keys())
      this.#log.error({ of: key }, 'renewed credentials are lost, because the store never accepted them')
  }

  async #untilWritten<T>(key: string, write: () => Promise<T>, failed: () => void): Promise<T> {
    for (let attempt = 1, pause = shortestPause; ; attempt++, pause = Math.min(pause * 2, longestPause)) {
      try {
        const answer = await write()
        if (attempt > 1) this.#log.info({ of: key, attempt }, 'credentials that could not be stored are now stored')
        return answer
      } catch (error) {
        if (this.#closed) throw error
        failed()
        if (attempt === 1)
          this.#log.error(
            { of: key, reason: (error as Error).message },
            'new credentials could not be stored; they stay in memory until the store accepts them',
          )
        await wait(pause)
      }
    }
  }
}
