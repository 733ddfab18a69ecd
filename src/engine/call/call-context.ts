/** What all requests of one call share, and the deadline that ends them. */
import type { Connector } from '../../catalog/connector.ts'
import { ConexError } from '../../errors.ts'
import type { Room } from '../http/answer-memory.ts'
import type { Transport } from '../http/messages.ts'
import type { Limiter } from '../limits/limiter.ts'
import { RecoverableRefusal } from '../recoverable-refusal.ts'
import type { EngineSettings } from '../settings.ts'
import type { CallTarget, CredentialSource } from './call.ts'

/** What all requests of one call share. */
export interface CallContext {
  readonly connector: Connector
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly credentials: CredentialSource
  readonly transport: Transport
  readonly limiter: Limiter
  readonly settings: EngineSettings
  /** What its answers take of the memory for all. */
  readonly room: Room
  /** What the engine has told its operator, so that it does so once. */
  readonly told: Set<string>
  /** Aborts at the deadline or when the caller has gone. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970 at which the deadline strikes. */
  readonly endsAt: number
  /** Work for a copy, which lets the calls of callers go first. */
  readonly background?: boolean
}

/** What all calls of one engine share. */
export type EngineContext = Pick<CallContext, 'transport' | 'limiter' | 'settings' | 'told'> & {
  readonly newRoom: () => Room
}

/**
 * Runs the work of one call under its deadline. At the deadline, or when the caller leaves, the call ends at once. Its work may
 * still wait for something shared with other calls; it ends when it next looks at the signal.
 */
export async function runCall<T>(
  { newRoom, ...shared }: EngineContext,
  { connector, baseUrl = connector.baseUrl, credentials, signal: caller, onHeld }: CallTarget,
  work: (context: CallContext) => Promise<T>,
  background = false,
): Promise<T> {
  const { deadline, clock } = shared.settings
  caller?.throwIfAborted()
  const room = newRoom()
  const ending = new AbortController()
  const { signal } = ending
  const gone = (): void => ending.abort(caller!.reason)
  const late = setTimeout(() => ending.abort(deadlineError(connector, deadline)), deadline)
  caller?.addEventListener('abort', gone, { once: true })
  const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const working = work({
    ...shared,
    connector,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    credentials,
    room,
    signal,
    endsAt: clock.now() + deadline,
    background,
  })
  // The work holds its memory for as long as it runs, however early the caller went.
  const handedOn = working.then(
    (value) => {
      room.unpacked()
      if (onHeld === undefined || signal.aborted) room.free()
      else onHeld(room)
      return value
    },
    (error: unknown) => {
      room.free()
      throw error instanceof RecoverableRefusal ? error.error : error
    },
  )
  return Promise.race([handedOn, ended]).finally(() => {
    clearTimeout(late)
    caller?.removeEventListener('abort', gone)
  })
}

function deadlineError(connector: Connector, deadline: number): ConexError {
  return new ConexError(
    'upstream_timeout',
    `${connector.title} did not answer within ${deadline / 1000} seconds; ask for less, or repeat the call later.`,
  )
}
