/** The syncs of this node: at most so many at a time, one per connector, and nobody kept waiting by another's many. */
import { FairQueue, type Owner } from './fair-queue.ts'
import type { Wanted } from './run.ts'

export interface SyncRequest extends Wanted, Owner {
  readonly connectorId: string
  /** Asked for by the schedule: what is due is looked at when its turn comes, since another node may have been faster. */
  readonly due: boolean
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

interface Entry extends Owner {
  readonly id: string
  request: SyncRequest
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
  /** By connector. */
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new FairQueue<Entry>()
  #closed = false

  constructor(options: SyncRunsOptions) {
    this.#options = options
  }

  /** Starts a sync, or gives the one that is under way or waits. */
  request(request: SyncRequest): RunView {
    const known = this.#entries.get(request.connectorId)
    if (known !== undefined) {
      if (known.startedAt === null) known.request = together(known.request, request)
      return view(known)
    }
    const { organizationId, externalUserId } = request
    const entry: Entry = {
      organizationId,
      externalUserId,
      id: this.#options.newId(),
      request,
      stop: new AbortController(),
      cut: new AbortController(),
      startedAt: null,
      ended: Promise.resolve(),
    }
    if (this.#closed) return view(entry)
    this.#entries.set(request.connectorId, entry)
    this.#waiting.add(entry)
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
    if (entry.startedAt === null) {
      this.#waiting.remove(entry)
      this.#entries.delete(connectorId)
    }
    await entry.ended
  }

  /** Ends all syncs of an end user at once, and gives when they have ended. */
  async endAllOf({ organizationId, externalUserId }: Owner): Promise<void> {
    const own = [...this.#entries.values()].filter(
      (entry) => entry.organizationId === organizationId && entry.externalUserId === externalUserId,
    )
    await Promise.all(own.map(({ request }) => this.end(request.connectorId)))
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
      const entry = this.#waiting.take(this.#running())
      if (entry === undefined) return
      entry.startedAt = new Date(this.#options.now()).toISOString()
      const signals = { stop: entry.stop.signal, cut: entry.cut.signal }
      entry.ended = this.#options.perform(entry.request, entry.id, signals).finally(() => {
        if (this.#entries.get(entry.request.connectorId) === entry) this.#entries.delete(entry.request.connectorId)
        this.#startNext()
      })
    }
  }
}

/** What was asked for twice while it waited. A schedule asks for nothing that somebody who asks does not get anyway. */
function together(one: SyncRequest, other: SyncRequest): SyncRequest {
  if (one.due || other.due) return one.due ? other : one
  const entities =
    one.entities === null || other.entities === null ? null : [...new Set([...one.entities, ...other.entities])]
  return { ...one, entities, full: one.full || other.full }
}

const view = ({ id, startedAt }: Entry): RunView => ({
  id,
  status: startedAt === null ? 'queued' : 'running',
  startedAt,
})
