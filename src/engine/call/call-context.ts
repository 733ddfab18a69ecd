/** What all requests of one call share, and the deadline that ends them. */
import type { Connector } from '../../catalog/connector.ts'
import { ConexError } from '../../errors.ts'
import type { AnswerMemory, Room } from '../http/answer-memory.ts'
import type { Transport } from '../http/transport.ts'
import type { Limiter } from '../limits/limiter.ts'
import { FieldUnknown, PageTooLarge } from '../recoverable-refusal.ts'
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
  readonly memory: AnswerMemory
}

/**
 * Runs the work of one call under its deadline. Where that strikes, or the caller goes, the caller is told at once: the work may
 * be waiting for something that others share and that goes on without it, and ends itself when it looks at the signal next.
 */
export function runCall<T>(
  shared: EngineContext,
  target: CallTarget,
  work: (context: CallContext) => Promise<T>,
  background = false,
): Promise<T> {
  const { connector, credentials, signal: caller, onHeld } = target
  const { transport, limiter, settings, told, memory } = shared
  const room = memory.room()
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const stop = (reason: unknown): void => {
      end()
      controller.abort(reason)
      reject(reason)
    }
    const gone = (): void => stop(caller!.reason)
    const late = setTimeout(() => stop(deadlineError(connector, settings.deadline)), settings.deadline)
    const end = (): void => {
      clearTimeout(late)
      caller?.removeEventListener('abort', gone)
    }
    if (caller?.aborted) return gone()
    caller?.addEventListener('abort', gone, { once: true })
    work({
      connector,
      baseUrl: (target.baseUrl ?? connector.baseUrl).replace(/\/+$/, ''),
      credentials,
      transport,
      limiter,
      settings,
      room,
      told,
      signal: controller.signal,
      endsAt: settings.clock.now() + settings.deadline,
      background,
    }).then(
      (value) => {
        end()
        room.unpacked()
        if (onHeld === undefined || controller.signal.aborted) room.free()
        else onHeld(room)
        resolve(value)
      },
      (error: unknown) => {
        end()
        room.free()
        reject(error instanceof PageTooLarge || error instanceof FieldUnknown ? error.error : error)
      },
    )
  })
}

function deadlineError(connector: Connector, deadline: number): ConexError {
  return new ConexError(
    'upstream_timeout',
    `${connector.title} did not answer within ${deadline / 1000} seconds; ask for less, or repeat the call later.`,
  )
}
