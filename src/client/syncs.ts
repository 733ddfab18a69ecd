/** Starts the syncs of a service's copies, looks at them, and waits for them. */
import type { RunRecord, SyncRecord } from '../wire.ts'
import { delay } from './delay.ts'
import type { ServiceCalls } from './service-calls.ts'
import { type CallOptions, eachWithTimeout } from './with-timeout.ts'

/** What to sync. */
export interface SyncRequest {
  /** Only these entities; all when left out. */
  readonly entities?: readonly string[]
  /** Reads everything, also where changes alone would do. */
  readonly full?: boolean
}

export interface Syncs {
  /** Starts a sync now; while one runs or waits, that one is the answer. */
  start(connectorId: string, request?: SyncRequest, options?: CallOptions): Promise<RunRecord>
  /** How the copy is. */
  state(connectorId: string, options?: CallOptions): Promise<SyncRecord>
  /** The state again and again, every second or as often as wanted, until no sync runs or waits any more. */
  watch(connectorId: string, options?: WatchOptions): AsyncGenerator<SyncRecord, void, undefined>
  /** Waits until no sync runs or waits any more, and gives the state then; `last_error` of an entity tells what failed. */
  wait(connectorId: string, options?: WatchOptions & { onProgress?: (state: SyncRecord) => void }): Promise<SyncRecord>
}

export interface WatchOptions extends CallOptions {
  /** Milliseconds from one look to the next; 1000 when left out. */
  readonly every?: number
}

export function syncsThrough(calls: ServiceCalls): Syncs {
  const path = (id: string): string => `/v1/integrations/connectors/${encodeURIComponent(id)}/sync`
  const state = (id: string, options?: CallOptions): Promise<SyncRecord> =>
    calls.json<SyncRecord>({ method: 'GET', path: path(id) }, options)

  const watch = (id: string, { every = 1000, ...options }: WatchOptions = {}) =>
    eachWithTimeout<SyncRecord>(options, async function* (signal) {
      for (;;) {
        const found = await state(id, { signal })
        yield found
        if (found.run === null) return
        await delay(every, signal)
      }
    })

  return {
    start: async (id, body = {}, options) =>
      (await calls.json<{ run: RunRecord }>({ method: 'POST', path: path(id), body }, options)).run,
    state,
    watch,
    async wait(id, { onProgress, ...options } = {}) {
      let last: SyncRecord | undefined
      for await (const found of watch(id, options)) {
        last = found
        onProgress?.(found)
      }
      return last!
    },
  }
}
