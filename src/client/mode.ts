/** What a mode of connecting does; all that callers hold is made from these. */
import type { ConnectorType } from '../catalog/describe.ts'
import type { Answer } from '../engine/call/call.ts'
import type { Health } from '../wire.ts'

/** An operation by name, with its params. */
export interface Operation {
  readonly entity: string
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * A file on its way, as `fetch` would give it: status 200, or 206 for a part; headers that tell its type, length, name and
 * range; and its bytes. Cancelling the body stops the read upstream.
 */
export interface Download extends Response {
  readonly status: 200 | 206
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** Ends a call early: its caller has had enough, or its time is up. */
export type Signal = AbortSignal | undefined

export interface Mode {
  readonly mode: 'hosted' | 'local'
  /** One answer to a list, get or search. */
  execute(operation: Operation, signal: Signal): Promise<Answer>
  /** One answer after another, to the last. */
  pages(operation: Operation, signal: Signal): AsyncGenerator<Answer, void, undefined>
  /** A file, its bytes still on the way. */
  download(operation: Operation, signal: Signal): Promise<Download>
  check(signal: Signal): Promise<Health>
  describe(signal: Signal): Promise<ConnectorType>
  close(): Promise<void>
}
