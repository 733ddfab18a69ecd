/** HTTP requests to third-party systems, and their answers. */
import type { Readable } from 'node:stream'
import type { Room } from './answer-memory.ts'
import type { TransportFault } from './transport-fault.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  /** The largest answer, in bytes, where it is smaller than the general limit. */
  readonly largest?: number
  /** What counts the bytes of the answer. */
  readonly room?: Pick<Room, 'receive'> | undefined
}

export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>

/** A whole answer. */
export interface WholeAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: HeaderFields
  /** What arrived. */
  readonly body: Uint8Array
  /** Why that is not all of it, since the status alone may say enough; null when it is. */
  readonly fault: TransportFault | null
}

/** An answer whose headers are there, and whose body is on its way. */
export interface OpenedAnswer {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: Readable
}

/** The value of a header that may stand in an answer once; undefined when several contradict each other, since none of them is better than the others. */
export const onlyValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? (new Set(header).size === 1 ? header[0] : undefined) : header
