/** Handler for MCP, the protocol of agents: every message is a request of its own, so any node answers it. */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { anyOf, integer, nullable, object, optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { noteDenied } from './audit-handlers.ts'
import { callerGone } from './caller-gone.ts'
import { consentLink } from './consent-link-handlers.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, type Handler } from './handler.ts'
import { errorFields } from './logger.ts'
import { checkOrigin } from './own-origin.ts'
import { asConexError } from './problem.ts'

const handle: Handler = async (context, request, reply) => {
  const { service, origins } = context
  checkOrigin(request.headers, { ...origins, publicUrl: service.settings.publicUrl() })
  // A list of messages would pass as one request.
  if (Array.isArray(request.body))
    throw new ConexError('invalid_request', 'Send one message per request, not a list of them.')
  const caller = callerOf(request)
  const signal = callerGone(reply)
  // Loaded for the first message, so that a server that speaks no MCP starts without it.
  const [{ createMcpHandler }, { createServer }, { serviceSource }, { toolsOf }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../mcp/server.ts'),
    import('../mcp/service-source.ts'),
    import('../tools/tools.ts'),
  ])
  const source = serviceSource({
    service,
    tenant: caller,
    onHeld: (held) => {
      if (signal.aborted) held.free()
      else reply.raw.once('close', () => held.free())
    },
    onDenied: () => noteDenied(context, request, 'not_found'),
    async link({ id }, { entity, params }) {
      const { token, expiresIn } = await context.fileLinks.issue({ tenant: caller, connectorId: id, entity, params })
      return { url: `${service.settings.publicUrl()}/v1/integrations/files?token=${token}`, expiresIn }
    },
    signInLink: ({ id }) => consentLink(context, caller, id),
  })
  const tools = await toolsOf(source, (request.query as { readonly tools?: string }).tools)
  const onError = (error: unknown): void => {
    const { code, cause = error } = asConexError(error)
    request.failure = code
    if (code === 'internal') service.log.error({ request_id: request.id, ...errorFields(cause) }, 'failed')
  }
  const opensLinks = saidToOpenLinks(request)
  const mcp = createMcpHandler(() => createServer({ source, tools, opensLinks, signal, onError }), {
    // Nothing changes that a client could wait for.
    maxSubscriptions: 0,
  })
  const response = await mcp.fetch(webRequest(request), { parsedBody: request.body })
  if (saysToOpenLinks(request)) response.headers.set('mcp-session-id', `${sessionThatOpensLinks}${randomUUID()}`)
  return reply.send(response)
}

/**
 * Begins the id of a session whose client opens links. Revision 2025-11-25 tells that in its handshake alone, and any node
 * may answer what follows; the client sends the id with it.
 */
const sessionThatOpensLinks = 'opens-links.'

const saidToOpenLinks = ({ headers }: FastifyRequest): boolean =>
  String(headers['mcp-session-id']).startsWith(sessionThatOpensLinks)

function saysToOpenLinks({ body }: FastifyRequest): boolean {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: Handshake | null }
  return (
    method === 'initialize' &&
    params?.protocolVersion === '2025-11-25' &&
    typeof params.capabilities?.elicitation?.url === 'object'
  )
}

interface Handshake {
  readonly protocolVersion?: unknown
  readonly capabilities?: { readonly elicitation?: { readonly url?: unknown } | null } | null
}

/** The request without its body, which is already read. */
function webRequest({ url, headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(new URL(url, 'http://conex'), { method: 'POST', headers: given })
}

/** What the protocol itself refuses. */
const protocolError = Type.Object({
  jsonrpc: text(),
  id: nullable(anyOf([text(), integer()])),
  error: Type.Object({ code: integer(), message: text() }),
})

export const mcp: Endpoint = {
  summary: 'Speak MCP, the protocol of agents',
  query: Type.Object(
    { tools: optional(text('Entities whose operations become tools, for example asana.tasks,gong.calls.')) },
    { additionalProperties: false },
  ),
  body: Type.Object(
    {
      jsonrpc: text('2.0'),
      method: optional(text('For example tools/call.')),
      id: optional(anyOf([text(), integer()])),
      params: optional(object()),
    },
    { description: 'A message of JSON-RPC.' },
  ),
  largestBody: 1024 * 1024,
  answers: {
    200: { description: 'The answer, as JSON or as one event.', mediaType: '*/*' },
    202: { description: 'The message was a notification.' },
    400: { description: 'The message does not fit the protocol.', schema: protocolError },
    406: { description: 'The caller does not accept both JSON and events.', schema: protocolError },
  },
  errors: ['forbidden', 'upstream_error'],
  handle,
}
