/** The syncs of this node: one for each connector, so many at a time, and fair between tenants. */
import { FairQueue, type Owner } from './fair-queue.ts'
import type { Wanted } from './run-sync.ts'

export interface SyncRequest extends Wanted, Owner {
  readonly connectorId: string
  /** The schedule asks for it: what is due is looked up when the sync begins, since another node may have been faster. */
  readonly due: boolean
}

/** A sync as callers see it. */
export interface RunView {
  readonly id: string
  readonly status: 'queued' | 'running'
  /** ISO 8601; null while it waits. */
  readonly startedAt: string | null
}

/** `stop` ends a sync behind the page that it reads, `cut` at once. */
export interface Signals {
  readonly stop: AbortSignal
  readonly cut: AbortSignal
}

/** Why a sync ended early; no fault of anything. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped'
  constructor() {
    super('The sync was stopped; the next one goes on where it ended.')
  }
}

interface Run extends Owner {
  readonly id: string
  readonly stop: AbortController
  readonly cut: AbortController
  request: SyncRequest
  startedAt: string | null
  ended: Promise<void>
}

export interface SyncQueueOptions {
  readonly atOnce: number
  readonly now: () => number
  readonly newId: () => string
  /** Runs the sync; never rejects. */
  readonly perform: (request: SyncRequest, id: string, signals: Signals) => Promise<void>
}

export class SyncQueue {
  readonly #options: SyncQueueOptions
  /** All that run or wait, by connector. */
  readonly #runs = new Map<string, Run>()
  readonly #running = new Set<Run>()
  readonly #waiting = new FairQueue<Run>()
  #closed = false

  constructor(options: SyncQueueOptions) {
    this.#options = options
  }

  /** Starts a sync, or gives the one that runs or waits. */
  request(request: SyncRequest): RunView {
    const known = this.#runs.get(request.connectorId)
    if (known !== undefined) {
      if (known.startedAt === null) known.request = together(known.request, request)
      return viewOf(known)
    }
    const { organizationId, externalUserId, connectorId } = request
    const run: Run = {
      ...{ organizationId, externalUserId, request, id: this.#options.newId(), startedAt: null },
      ...{ stop: new AbortController(), cut: new AbortController(), ended: Promise.resolve() },
    }
    if (!this.#closed) {
      this.#runs.set(connectorId, run)
      this.#waiting.add(run)
      this.#startNext()
    }
    return viewOf(run)
  }

  find(connectorId: string): RunView | null {
    const run = this.#runs.get(connectorId)
    return run === undefined ? null : viewOf(run)
  }

  /** Ends the sync of a connector at once, and waits until it has ended. */
  async end(connectorId: string): Promise<void> {
    const run = this.#runs.get(connectorId)
    if (run === undefined) return
    if (this.#waiting.remove(run)) this.#runs.delete(connectorId)
    run.stop.abort(new SyncStopped())
    run.cut.abort(new SyncStopped())
    await run.ended
  }

  /** Ends all syncs of an end user at once, and waits until they have ended. */
  async endAllOf({ organizationId, externalUserId }: Owner): Promise<void> {
    const own = [...this.#runs.values()].filter(
      (run) => run.organizationId === organizationId && run.externalUserId === externalUserId,
    )
    await Promise.all(own.map(({ request }) => this.end(request.connectorId)))
  }

  /** Ends each sync behind the page that it reads; at once when that takes longer than `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    const running = [...this.#running]
    for (const { stop } of running) stop.abort(new SyncStopped())
    const late = setTimeout(() => {
      for (const { cut } of running) cut.abort(new SyncStopped())
    }, graceMs)
    await Promise.all(running.map(({ ended }) => ended))
    clearTimeout(late)
    this.#runs.clear()
  }

  /** Waits until nothing runs or waits. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.race([...this.#running].map(({ ended }) => ended))
  }

  #startNext(): void {
    while (!this.#closed && this.#running.size < this.#options.atOnce) {
      const run = this.#waiting.take([...this.#running])
      if (run === undefined) return
      run.startedAt = new Date(this.#options.now()).toISOString()
      this.#running.add(run)
      const signals = { stop: run.stop.signal, cut: run.cut.signal }
      run.ended = this.#options.perform(run.request, run.id, signals).finally(() => {
        this.#running.delete(run)
        this.#runs.delete(run.request.connectorId)
        this.#startNext()
      })
    }
  }
}

/** Two requests that wait as one. The schedule asks for nothing that the request of a caller does not cover. */
function together(one: SyncRequest, other: SyncRequest): SyncRequest {
  if (one.due || other.due) return one.due ? other : one
  const entities = one.entities && other.entities && [...new Set([...one.entities, ...other.entities])]
  return { ...one, entities, full: one.full || other.full }
}

const viewOf = ({ id, startedAt }: Run): RunView => ({
  id,
  status: startedAt === null ? 'queued' : 'running',
  startedAt,
})
