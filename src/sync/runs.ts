/** The syncs of this node: at most so many at a time, one per connector, and no end user kept waiting by another's many. */
import type { Wanted } from './run.ts'

export interface SyncRequest extends Wanted {
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorId: string
}

export interface RunView {
  readonly id: string
  readonly status: 'queued' | 'running'
  /** ISO 8601; null while it waits for its turn. */
  readonly startedAt: string | null
}

/** How a run is told to end: `stop` at the end of a page, `cut` at once. */
export interface Signals {
  readonly stop: AbortSignal
  readonly cut: AbortSignal
}

interface Entry {
  readonly id: string
  readonly request: SyncRequest
  readonly stop: AbortController
  readonly cut: AbortController
  startedAt: string | null
  ended: Promise<void>
}

/** Why a run ended early; no fault of anything. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped'
  constructor() {
    super('The sync was stopped; the next one goes on where it ended.')
  }
}

export interface SyncRunsOptions {
  readonly atOnce: number
  readonly now: () => number
  readonly newId: () => string
  /** Runs the sync; never rejects. */
  readonly perform: (request: SyncRequest, id: string, signals: Signals) => Promise<void>
}

export class SyncRuns {
  readonly #options: SyncRunsOptions
  /** By connector, in the order in which they were asked for. */
  readonly #entries = new Map<string, Entry>()
  #closed = false

  constructor(options: SyncRunsOptions) {
    this.#options = options
  }

  /** Starts a sync, or gives the one that is under way or waits. */
  request(request: SyncRequest): RunView {
    const known = this.#entries.get(request.connectorId)
    if (known !== undefined) return view(known)
    const entry: Entry = {
      id: this.#options.newId(),
      request,
      stop: new AbortController(),
      cut: new AbortController(),
      startedAt: null,
      ended: Promise.resolve(),
    }
    if (this.#closed) return view(entry)
    this.#entries.set(request.connectorId, entry)
    this.#startNext()
    return view(entry)
  }

  find(connectorId: string): RunView | null {
    const entry = this.#entries.get(connectorId)
    return entry === undefined ? null : view(entry)
  }

  /** How many more could begin at once. */
  get free(): number {
    return this.#options.atOnce - this.#running().length
  }

  /** Ends the sync of a connector at once, and gives when it has ended. */
  async end(connectorId: string): Promise<void> {
    const entry = this.#entries.get(connectorId)
    if (entry === undefined) return
    entry.stop.abort(new SyncStopped())
    entry.cut.abort(new SyncStopped())
    if (entry.startedAt === null) this.#entries.delete(connectorId)
    await entry.ended
  }

  /** Ends all at the end of the page they are at; at once when that takes longer than `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    const running = this.#running()
    for (const { stop } of this.#entries.values()) stop.abort(new SyncStopped())
    const late = setTimeout(() => {
      for (const { cut } of running) cut.abort(new SyncStopped())
    }, graceMs)
    await Promise.all(running.map(({ ended }) => ended))
    clearTimeout(late)
    this.#entries.clear()
  }

  /** When nothing runs or waits any more. */
  async settled(): Promise<void> {
    while (this.#entries.size > 0) await Promise.race(this.#running().map(({ ended }) => ended))
  }

  #running(): Entry[] {
    return [...this.#entries.values()].filter(({ startedAt }) => startedAt !== null)
  }

  #startNext(): void {
    while (!this.#closed && this.free > 0) {
      const entry = this.#fairest()
      if (entry === undefined) return
      entry.startedAt = new Date(this.#options.now()).toISOString()
      const signals = { stop: entry.stop.signal, cut: entry.cut.signal }
      entry.ended = this.#options.perform(entry.request, entry.id, signals).finally(() => {
        if (this.#entries.get(entry.request.connectorId) === entry) this.#entries.delete(entry.request.connectorId)
        this.#startNext()
      })
    }
  }

  /** Of those that wait the first one of the end user with the fewest running. */
  #fairest(): Entry | undefined {
    const running = new Map<string, number>()
    for (const { request } of this.#running()) running.set(owner(request), (running.get(owner(request)) ?? 0) + 1)
    let best: Entry | undefined
    for (const entry of this.#entries.values()) {
      if (entry.startedAt !== null) continue
      if (best === undefined || busy(entry) < busy(best)) best = entry
    }
    return best

    function busy({ request }: Entry): number {
      return running.get(owner(request)) ?? 0
    }
  }
}

const owner = ({ organizationId, externalUserId }: SyncRequest): string => `${organizationId}\0${externalUserId}`

const view = ({ id, startedAt }: Entry): RunView => ({
  id,
  status: startedAt === null ? 'queued' : 'running',
  startedAt,
})
