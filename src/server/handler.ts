/** What a handler is given: it decodes, calls the service, and gives back what to answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConexError, ErrorCode } from '../errors.ts'
import type { DeniedAccesses } from '../service/denied-access.ts'
import type { Service } from '../service/service.ts'
import type { Documents } from './document.ts'
import type { Metrics } from './metrics.ts'
import type { Caller, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null where no token was given. */
    caller: Caller | null
    /** Why the token that was given is not good; null when it is, or when none was given. */
    refusal: ConexError | null
    /** The code of the error that was answered; null when there was none. */
    failure: ErrorCode | null
  }
  interface FastifyContextConfig {
    /** What a page tells a person whose browser is refused. */
    refusalTitle?: string | undefined
  }
}

/** What all handlers share. */
export interface ServerContext {
  readonly service: Service
  readonly tokens: Tokens
  readonly metrics: Metrics
  readonly denials: DeniedAccesses
  readonly documents: Documents
  /** How long a caller may take nothing of a running download, in milliseconds. */
  readonly downloadIdleMs: number
  readonly stopping: () => boolean
}

/** A returned object becomes the JSON answer. */
export type Handler = (context: ServerContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The tenant of the token; the server has made sure of it for every route that needs one. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route that needs a token was reached without one.')
  return request.caller
}

/** The connector that the path names. */
export const connectorIdOf = (request: FastifyRequest): string =>
  (request.params as { readonly connector_id: string }).connector_id
