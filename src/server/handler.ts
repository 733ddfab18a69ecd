/** The context of handlers. A handler decodes the request, calls the service, and returns the answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConexError, ErrorCode } from '../errors.ts'
import type { DeniedAccesses } from '../service/denied-access.ts'
import type { Service } from '../service/service.ts'
import type { shareOverview } from '../service/shared-overview.ts'
import type { Documents } from './document.ts'
import type { FileLinks } from './file-links.ts'
import type { Metrics } from './metrics.ts'
import type { OwnOrigins } from './own-origin.ts'
import type { ProtectedResource } from './protected-resource.ts'
import type { SignedMessages } from './signed-messages.ts'
import type { Caller, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null without a token. */
    caller: Caller | null
    /** Why the token is not valid; null for a valid token, or without one. */
    refusal: ConexError | null
    /** The code of the error that was answered; null without an error. */
    failure: ErrorCode | null
  }
  interface FastifyContextConfig {
    /** Whether the route is a protected resource of OAuth. */
    protectedResource?: boolean
    /** Whether the body is a form instead of JSON. */
    takesForm?: boolean
    /** The title of the page that a browser shows when the request is refused. */
    refusalTitle?: string | undefined
  }
}

/** Everything that handlers share, for as long as the server runs. */
export interface ServerContext {
  readonly service: Service
  readonly tokens: Tokens
  readonly resource: ProtectedResource
  readonly signedMessages: SignedMessages
  /** Whether Conex itself is the authorization server of agents. */
  readonly agentsSignIn: boolean
  readonly fileLinks: FileLinks
  readonly metrics: Metrics
  readonly overview: ReturnType<typeof shareOverview>
  readonly denials: DeniedAccesses
  readonly documents: Documents
  /** How long a caller may read nothing of a running download, in milliseconds. */
  readonly downloadIdleMs: number
  readonly stopping: () => boolean
  /** Whose pages may call, besides those of the public address. */
  readonly origins: Omit<OwnOrigins, 'publicUrl'>
}

/** A returned object becomes the JSON answer. */
export type Handler = (context: ServerContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The caller of a route that needs a token; the server has already checked the token. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route that needs a token was reached without one.')
  return request.caller
}

/** The connector id in the path. */
export const connectorIdOf = (request: FastifyRequest): string =>
  (request.params as { readonly connector_id: string }).connector_id
