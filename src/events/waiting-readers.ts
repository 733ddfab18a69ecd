/** Readers of events that wait for the next one. */
import { ConexError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'

interface Waiting {
  readonly organizationId: string
  /** It waits for an event behind this place. */
  readonly place: number
  readonly enter: () => void
}

/** Any node may write an event, so the database is asked, once for all who wait. */
const lookEveryMs = 500
const mostWaiting = 1_000
const mostOfOrganization = 100

export class WaitingReaders {
  readonly #store: Pick<Store, 'events'>
  readonly #log: Log
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: Pick<Store, 'events'>, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether nobody waits any more, because the server stops. */
  get closed(): boolean {
    return this.#closed
  }

  /** Waits for an event behind a place, at most until the signal aborts or the server stops. */
  async wait(organizationId: string, place: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const own = this.#waiting.values().filter((one) => one.organizationId === organizationId)
    if (this.#waiting.size >= mostWaiting || own.toArray().length >= mostOfOrganization)
      throw new ConexError('rate_limited', 'Too many readers wait for events; let fewer wait, or ask without `wait`.', {
        retryAfter: 10,
      })
    const { promise, resolve } = Promise.withResolvers<void>()
    const enter = () => resolve()
    const waiting = { organizationId, place, enter }
    this.#waiting.add(waiting)
    signal.addEventListener('abort', enter, { once: true })
    this.#lookLater()
    await promise
    signal.removeEventListener('abort', enter)
    this.#waiting.delete(waiting)
  }

  /** Lets all readers go; from now on nobody waits. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { enter } of this.#waiting) enter()
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#closed || this.#waiting.size === 0) return
    this.#timer = setTimeout(async () => {
      await this.#look().catch((error: unknown) =>
        this.#log.error({ reason: String(error) }, 'new events could not be looked for'),
      )
      this.#timer = undefined
      this.#lookLater()
    }, lookEveryMs)
  }

  async #look(): Promise<void> {
    const organizations = new Set(this.#waiting.values().map(({ organizationId }) => organizationId))
    if (organizations.size === 0) return
    const newest = await this.#store.events.newestOf([...organizations])
    for (const { organizationId, place, enter } of this.#waiting) if ((newest.get(organizationId) ?? 0) > place) enter()
  }
}
