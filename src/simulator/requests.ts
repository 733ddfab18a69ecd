/** The record of what the simulators received: what a test reads to see what was, and was not, sent. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HostName } from './system.ts'

export interface RecordedRequest {
  /** Which listener got it, and that listener's origin. */
  readonly host: HostName
  readonly origin: string
  readonly method: string
  /** The whole path as received, the kind's prefix included. */
  readonly path: string
  /** The query string as received, without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Arrival by the simulators' clock. */
  readonly at: number
  /** The status answered; null while there is no answer, and for ever when none came. */
  status: number | null
}

export interface RequestLog {
  readonly entries: readonly RecordedRequest[]
  add(entry: RecordedRequest): void
  clear(): void
}

/** Keeps the last `kept` requests (up to twice as many between two cuts). */
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
