/** Starts the syncs of a service's copies, reads their state, and waits for them. */
import type { RunRecord, SyncRecord } from '../wire.ts'
import { delay } from './delay.ts'
import type { ServiceCalls } from './service-calls.ts'
import { type CallOptions, eachWithTimeout } from './with-timeout.ts'

/** What to sync. */
export interface SyncRequest {
  /** Only these entities; all by default. */
  readonly entities?: readonly string[]
  /** Reads everything, even if reading changes would be enough. */
  readonly full?: boolean
}

export interface Syncs {
  /** Starts a sync now; if one is running or waiting, returns that one. */
  start(connectorId: string, request?: SyncRequest, options?: CallOptions): Promise<RunRecord>
  /** The state of the copy. */
  state(connectorId: string, options?: CallOptions): Promise<SyncRecord>
  /** Yields the state repeatedly, every second by default, until no sync is running or waiting. */
  watch(connectorId: string, options?: WatchOptions): AsyncGenerator<SyncRecord, void, undefined>
  /** Waits until no sync is running or waiting, and returns the state; `last_error` of an entity says what failed. */
  wait(connectorId: string, options?: WatchOptions & { onProgress?: (state: SyncRecord) => void }): Promise<SyncRecord>
}

export interface WatchOptions extends CallOptions {
  /** Milliseconds between states; 1000 by default. */
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
