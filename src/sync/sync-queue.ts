/** The syncs of this node: one for each connector, so many at a time, and fair between tenants. */
import { FairQueue, type Owner } from './fair-queue.ts'
import type { Wanted } from './run-sync.ts'

export interface SyncRequest extends Wanted, Owner {
  readonly connectorId: string
  /** The schedule asks for it: what is due is looked up when the sync begins, since another node may have been faster. */
  readonly due: boolean
}

/** A sync that waits or runs. */
export interface SyncRun extends Owner {
  readonly id: string
  request: SyncRequest
  /** ISO 8601; null while it waits. */
  startedAt: string | null
  /** Ends it behind the page that it reads. */
  readonly stop: AbortController
  /** Ends it at once. */
  readonly cut: AbortController
  ended: Promise<void>
}

/** Why a sync ended early; no fault of anything. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped'
  constructor() {
    super('The sync was stopped; the next one continues where it ended.')
  }
}

export class SyncQueue {
  readonly #perform: (run: SyncRun) => Promise<void>
  readonly #atOnce: number
  readonly #now: () => number
  /** All that wait or run, by connector. */
  readonly #runs = new Map<string, SyncRun>()
  readonly #running = new Set<SyncRun>()
  readonly #waiting = new FairQueue<SyncRun>()
  #closed = false

  /** `perform` runs a sync, and never rejects. */
  constructor(perform: (run: SyncRun) => Promise<void>, atOnce: number, now: () => number) {
    this.#perform = perform
    this.#atOnce = atOnce
    this.#now = now
  }

  /** Starts a sync under this id, or gives the one of the connector that waits or runs. */
  request(id: string, request: SyncRequest): SyncRun {
    const known = this.find(request.connectorId)
    if (known !== undefined) {
      if (known.startedAt === null) known.request = together(known.request, request)
      return known
    }
    const { organizationId, externalUserId, connectorId } = request
    const signals = { stop: new AbortController(), cut: new AbortController() }
    const ended = Promise.resolve()
    const run: SyncRun = { id, organizationId, externalUserId, request, startedAt: null, ...signals, ended }
    if (this.#closed) return run
    this.#runs.set(connectorId, run)
    this.#waiting.add(run)
    this.#startNext()
    return run
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#runs.size - this.#running.size }
  }

  find(connectorId: string): SyncRun | undefined {
    return this.#runs.get(connectorId)
  }

  /** Ends the sync of a connector at once, and waits until it has ended. */
  async end(connectorId: string): Promise<void> {
    const run = this.find(connectorId)
    if (run === undefined) return
    if (this.#waiting.remove(run)) this.#runs.delete(connectorId)
    run.stop.abort(new SyncStopped())
    run.cut.abort(new SyncStopped())
    await run.ended
  }

  /** Ends all syncs of an end user at once, and waits until they have ended. */
  async endAllOf(owner: Owner): Promise<void> {
    const own = this.#runs
      .values()
      .filter((run) => run.organizationId === owner.organizationId && run.externalUserId === owner.externalUserId)
    await Promise.all(own.map(({ request }) => this.end(request.connectorId)).toArray())
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

  /** Waits until nothing waits or runs. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.race(this.#running.values().map(({ ended }) => ended))
  }

  #startNext(): void {
    while (!this.#closed && this.#running.size < this.#atOnce) {
      const run = this.#waiting.take([...this.#running])
      if (run === undefined) return
      run.startedAt = new Date(this.#now()).toISOString()
      this.#running.add(run)
      run.ended = this.#perform(run).finally(() => {
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
