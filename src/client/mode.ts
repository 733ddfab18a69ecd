/** A mode runs the operations; the client for callers is built on it. */
import type { FieldChoice } from '../catalog/choose-fields.ts'
import type { ConnectorType } from '../catalog/describe.ts'
import type { RawRequest } from '../catalog/raw-request.ts'
import type { Answer } from '../engine/call/call.ts'
import type { Health } from '../wire.ts'

/** An operation by name, with its params. */
export interface Operation {
  readonly entity: string
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  /** The record fields that the caller chose. */
  readonly fields?: FieldChoice
}

/**
 * A file that is still arriving, like a response of `fetch`: status 200, or 206 for a part; headers with its type,
 * length, name and range; and its bytes. Cancelling the body stops the upstream read.
 */
export interface Download extends Response {
  readonly status: 200 | 206
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** Ends a call early: the caller aborted it, or it timed out. */
export type Signal = AbortSignal | undefined

export interface Mode {
  readonly mode: 'hosted' | 'local'
  /** Returns one answer of a list, get or search. */
  execute(operation: Operation, signal: Signal): Promise<Answer>
  /** Iterates over all answers. */
  pages(operation: Operation, signal: Signal): AsyncGenerator<Answer, void, undefined>
  /** Returns a file whose bytes are still arriving. */
  download(operation: Operation, signal: Signal): Promise<Download>
  /** Sends a request that no operation describes, and returns the answer as it came. */
  request(request: RawRequest, signal: Signal): Promise<Response>
  check(signal: Signal): Promise<Health>
  describe(signal: Signal): Promise<ConnectorType>
  close(): Promise<void>
}
