/** Bounds how many downloads each may have under way, so that slow ones of one caller leave connections to all others. */
import { ConexError } from '../../errors.ts'
import { Places } from './places.ts'

/** What a download counts for, for example an end user, and how many of those may be under way at once. */
export interface Share {
  readonly of: string
  readonly atOnce: number
}

export class Shares {
  readonly #patience: number
  readonly #held = new Map<string, { readonly places: Places; users: number }>()

  /** How many milliseconds are waited for a place. */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** Waits for a place in each of the shares, in the order in which callers came; gives how to leave them. */
  async enter(shares: readonly Share[], signal: AbortSignal): Promise<() => void> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(this.#patience)])
    const leaves: (() => void)[] = []
    const leave = (): void => {
      for (const one of leaves.splice(0)) one()
    }
    try {
      for (const share of shares) leaves.push(await this.#enter(share, waiting))
    } catch (error) {
      leave()
      if (signal.aborted) throw error
      throw new ConexError(
        'rate_limited',
        'As many downloads as may run at once are under way; read those to their end, then repeat this one.',
        { retryAfter: Math.ceil(this.#patience / 1000) },
      )
    }
    return leave
  }

  async #enter({ of, atOnce }: Share, signal: AbortSignal): Promise<() => void> {
    const held = this.#held.get(of) ?? { places: new Places(atOnce), users: 0 }
    this.#held.set(of, held)
    held.users++
    const forget = (): void => {
      if (--held.users === 0) this.#held.delete(of)
    }
    try {
      const leave = await held.places.enter(false, signal)
      return () => {
        leave()
        forget()
      }
    } catch (error) {
      forget()
      throw error
    }
  }
}
