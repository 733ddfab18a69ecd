/** The syncs of this node: at most so many at a time, one per connector, and nobody kept waiting by another's many. */
import { FairQueue, type Owner } from './fair-queue.ts'
import type { Wanted } from './run-sync.ts'

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
  /** Null while it waits for its turn. */
  running: Running | null
}

interface Running {
  readonly startedAt: string
  readonly stop: AbortController
  readonly cut: AbortController
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
  /** Apart from those that wait, of which there are thousands when a node was down for an hour. */
  readonly #running = new Map<Entry, Running>()
  readonly #waiting = new FairQueue<Entry>()
  #closed = false

  constructor(options: SyncRunsOptions) {
    this.#options = options
  }

  /** Starts a sync, or gives the one that is under way or waits. */
  request(request: SyncRequest): RunView {
    const known = this.#entries.get(request.connectorId)
    if (known !== undefined) {
      if (known.running === null) known.request = together(known.request, request)
      return view(known)
    }
    const { organizationId, externalUserId } = request
    const entry: Entry = {
      organizationId,
      externalUserId,
      id: this.#options.newId(),
      request,
      running: null,
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

  /** Ends the sync of a connector at once, and gives when it has ended. */
  async end(connectorId: string): Promise<void> {
    const entry = this.#entries.get(connectorId)
    if (entry === undefined) return
    if (entry.running === null) {
      this.#waiting.remove(entry)
      this.#entries.delete(connectorId)
      return
    }
    const { stop, cut, ended } = entry.running
    stop.abort(new SyncStopped())
    cut.abort(new SyncStopped())
    await ended
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
    const running = [...this.#running.values()]
    for (const { stop } of running) stop.abort(new SyncStopped())
    const late = setTimeout(() => {
      for (const { cut } of running) cut.abort(new SyncStopped())
    }, graceMs)
    await Promise.all(running.map(({ ended }) => ended))
    clearTimeout(late)
    this.#entries.clear()
  }

  /** When nothing runs or waits any more. */
  async settled(): Promise<void> {
    while (this.#entries.size > 0) await Promise.race([...this.#running.values()].map(({ ended }) => ended))
  }

  #startNext(): void {
    while (!this.#closed && this.#running.size < this.#options.atOnce) {
      const entry = this.#waiting.take([...this.#running.keys()])
      if (entry === undefined) return
      const { request } = entry
      const startedAt = new Date(this.#options.now()).toISOString()
      const running: Running = {
        startedAt,
        stop: new AbortController(),
        cut: new AbortController(),
        ended: Promise.resolve(),
      }
      entry.running = running
      this.#running.set(entry, running)
      const signals = { stop: running.stop.signal, cut: running.cut.signal }
      running.ended = this.#options.perform(request, entry.id, signals).finally(() => {
        this.#running.delete(entry)
        if (this.#entries.get(request.connectorId) === entry) this.#entries.delete(request.connectorId)
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

const view = ({ id, running }: Entry): RunView => ({
  id,
  status: running === null ? 'queued' : 'running',
  startedAt: running?.startedAt ?? null,
})
