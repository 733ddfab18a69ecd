/** The log of received requests, in which tests see what was, and was not, sent. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HostName } from './system.ts'

export interface RecordedRequest {
  /** The listener that received it, and its origin. */
  readonly host: HostName
  readonly origin: string
  readonly method: string
  /** The whole path as received, with the kind's prefix. */
  readonly path: string
  /** The query string as received, without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Arrival by the simulators' clock. */
  readonly at: number
  /** The status of the answer; null until there is one. */
  status: number | null
}

export interface RequestLog {
  readonly entries: readonly RecordedRequest[]
  add(entry: RecordedRequest): void
  clear(): void
}

/** Keeps the last `kept` requests, and up to twice as many between two cleanups. */
export function createRequestLog(kept = 10_000): RequestLog {
  const entries: RecordedRequest[] = []
  return {
    entries,
    add(entry) {
      if (entries.length >= 2 * kept) entries.splice(0, entries.length - kept)
      entries.push(entry)
    },
    clear() {
      entries.length = 0
    },
  }
}
