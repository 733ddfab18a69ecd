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
  /** The largest answer, in bytes, if it is smaller than the general limit. */
  readonly largest?: number
  /** Counts the bytes of the answer. */
  readonly room?: Pick<Room, 'receive'> | undefined
}

/** Sends requests to third-party systems. */
export interface Transport {
  /** Returns the complete answer. Throws TransportFault, or the signal's reason. */
  send(request: HttpRequest): Promise<WholeAnswer>
  /** Returns the answer when its headers have arrived; its body may be silent for so many milliseconds. Throws the same. */
  open(request: HttpRequest, idleLimit: number): Promise<OpenedAnswer>
  close(): Promise<void>
}

export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>

/** A complete answer. */
export interface WholeAnswer extends Omit<OpenedAnswer, 'body'> {
  /** The received bytes. */
  readonly body: Uint8Array
  /** Why the answer is incomplete, because the status alone may say enough; null if it is complete. */
  readonly fault: TransportFault | null
}

/** An answer with its headers, and a body that is still arriving. */
export interface OpenedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: HeaderFields
  readonly body: Readable
}

/** The value of a header that an answer can have once; undefined if several contradict each other. */
export const onlyValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? (new Set(header).size === 1 ? header[0] : undefined) : header
