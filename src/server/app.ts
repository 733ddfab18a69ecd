/** The HTTP application: everything that happens to each request, whatever its route. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { ConexError } from '../errors.ts'
import { stringifyJson } from '../json.ts'
import { isId } from '../service/new-id.ts'
import { allowOrigins } from './allow-origins.ts'
import { allowedMethods } from './allowed-methods.ts'
import { noteDenial } from './audit-handlers.ts'
import { CallerGone } from './caller-gone.ts'
import { checkQuery } from './check-query.ts'
import type { Connections } from './connections.ts'
import { smallestBody } from './endpoint.ts'
import type { ServerContext } from './handler.ts'
import { errorFields } from './logger.ts'
import { cardHeaders } from './page.ts'
import { asConexError, problemOf, problemType } from './problem.ts'
import { problemPage, wantsPage } from './problem-page.ts'
import { addRateLimits, limitOf, type RateLimitSettings } from './rate-limits.ts'
import { Bodies } from './read-body.ts'
import { readForm } from './read-form.ts'
import { refusalOf, tokenOf } from './require-token.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { readStrictJson } from './strict-json.ts'

export interface AppSettings extends RateLimitSettings {
  readonly allowedOrigins: readonly string[] | null
  readonly trustedProxies: number
}

/**
 * Headers for browsers: store nothing, embed nothing, sniff nothing. They never change, so a plugin that composes them
 * for every answer would be wasted work.
 */
const alwaysSent = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

/**
 * An end user's id has up to 255 characters of up to four bytes, and percent-encoding writes each byte as three
 * characters.
 */
const longestParam = 255 * 12

export async function createApp(
  context: ServerContext,
  connections: Connections,
  settings: AppSettings,
): Promise<FastifyInstance> {
  const { log } = context.service
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: smallestBody,
    routerOptions: { maxParamLength: longestParam },
    trustProxy: settings.trustedProxies > 0 && ((_address: string, hops: number) => hops < settings.trustedProxies),
    // Long enough for a full body on a slow line. Node itself gives up after a minute on a head that trickles in.
    requestTimeout: 120_000,
    return503OnClosing: false,
    // The catalog checks requests, not route schemas. Without these compilers the server starts 40 ms sooner.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    frameworkErrors: answerError,
    clientErrorHandler: answerBrokenHttp,
  })
  connections.watch(app.server)

  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('failure', null)
  app.setReplySerializer(stringifyJson)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(async (request, reply) => {
    const { method, url } = request
    // The bare address of the server leads to the documentation. The redirect is relative, so it works below any path
    // of a proxy.
    if (/^\/(\?|$)/.test(url) && wantsPage(request)) return reply.redirect('docs', 302)
    const allow = methodsAt(pathOf(url))
    if (method !== 'OPTIONS' || allow.length === 0) throw nothingThere(url)
    return reply.code(204).header('allow', allow.join(', ')).send()
  })
  const bodies = new Bodies()
  acceptBodies(app, bodies)

  // Hooks that wait for nothing use the callback: a promise would cost more than the hook itself.
  app.addHook('onRequest', (request, reply, done) => {
    if (!connections.begin(request.raw, reply.raw)) {
      reply.hijack()
      return
    }
    reply.header('x-request-id', request.id)
    reply.headers(alwaysSent)
    // The framework's own hook skips interrupted answers, and its clock starts only with that hook.
    const begun = performance.now()
    reply.raw.on('close', () => {
      bodies.release(request)
      answered(request, reply, performance.now() - begun)
    })
    const token = tokenOf(request.headers.authorization)
    if (token === null) done()
    else identify(context, request, token).then(() => done())
  })
  // Refuse an unknown path before reading its body.
  app.addHook('preParsing', (request, _reply, _payload, done) =>
    done(request.is404 && mayHaveBody(request.method) ? nothingThere(request.url) : null),
  )
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (context.stopping()) reply.header('connection', 'close')
    done()
  })

  if (settings.allowedOrigins !== null) await allowOrigins(app, settings.allowedOrigins)
  await addRateLimits(app, settings)
  for (const route of routes) addRoute(app, context, route, settings)
  return app

  function answered(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
    const { headersSent, writableFinished } = reply.raw
    const route = request.routeOptions.url ?? 'unknown'
    // If the caller hung up before the answer, no status was sent; web servers log this as 499.
    const status = headersSent ? reply.statusCode : 499
    context.metrics.answered(request.method, route, status, milliseconds)
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status,
        ...(!writableFinished && { broken_off: true }),
        ...(request.failure !== null && { code: request.failure }),
        duration_ms: Math.round(milliseconds * 10) / 10,
        ...(request.caller !== null && {
          organization_id: request.caller.organizationId,
          client_id: request.caller.clientId,
          ...(request.caller.externalUserId !== null && { external_user_id: request.caller.externalUserId }),
          ...connectorOf(request),
        }),
      },
      'answered',
    )
  }

  function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof CallerGone) {
      request.raw.socket.destroy()
      return reply.hijack()
    }
    const { problem, headers } = problemOf(error, request.id)
    request.failure = problem.code
    noteDenial(context, request, problem.code)
    const challenge = request.routeOptions.config?.protectedResource
      ? context.resource.challenge(asConexError(error), request.headers.authorization !== undefined)
      : null
    if (problem.code === 'internal' || problem.code === 'storage_full')
      log.error({ request_id: request.id, ...errorFields(asConexError(error).cause ?? error) }, 'failed')
    // Include the standard headers: hooks do not run when the framework itself refuses a request.
    reply.headers({ ...alwaysSent, ...headers, 'x-request-id': request.id }).code(problem.status)
    if (challenge !== null) reply.header('www-authenticate', challenge)
    if (wantsPage(request))
      return reply.headers(cardHeaders).send(problemPage(problem, request.routeOptions.config.refusalTitle))
    return reply.type(problemType).send(stringifyJson(problem))
  }
}

function addRoute(app: FastifyInstance, context: ServerContext, route: Route, settings: AppSettings): void {
  for (const url of [route.path, ...(route.aliases ?? [])])
    app.route({
      method: route.method,
      url,
      bodyLimit: route.endpoint.largestBody ?? smallestBody,
      exposeHeadRoute: route.withoutHead !== true,
      config: {
        ...limitOf(route, settings),
        refusalTitle: route.endpoint.refusalTitle,
        protectedResource: route.protectedResource === true,
        takesForm: route.endpoint.form !== undefined,
      },
      preParsing: (request, _reply, _payload, done) => done(refusalOf(request, route.token)),
      handler: (request, reply) => {
        checkQuery(route.endpoint, request.query)
        return route.endpoint.handle(context, request, reply)
      },
    })
}

/** The connector in the path, where it looks like one: callers paste other things there too. */
function connectorOf({ params }: FastifyRequest): { readonly connector_id?: string } {
  const { connector_id: id } = (params ?? {}) as { readonly connector_id?: string }
  return id !== undefined && isId(id) ? { connector_id: id } : {}
}

/** Records the caller on the request, or why the token does not identify one. */
const identify = ({ tokens, resource }: ServerContext, request: FastifyRequest, token: string): Promise<void> =>
  (request.routeOptions.config.protectedResource ? resource : tokens).verify(token).then(
    (caller) => {
      request.caller = caller
    },
    (error: unknown) => {
      request.refusal = asConexError(error)
    },
  )

/** Accepts the caller's own request id if it is safe to log. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}

/** JSON, or a form where the endpoint takes one. */
function acceptBodies(app: FastifyInstance, bodies: Bodies): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      if (!request.routeOptions.config.takesForm)
        throw new ConexError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
      return readForm(await bodies.receive(request, payload))
    },
  )
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
    if (request.routeOptions.config.takesForm)
      throw new ConexError(
        'unsupported_media_type',
        'Send a form, with Content-Type: application/x-www-form-urlencoded.',
      )
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
    const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8'
    if (encoding.toLowerCase() !== 'identity' || !/^(utf-?8|us-ascii)$/i.test(charset))
      throw new ConexError('unsupported_media_type', 'Send the body as plain JSON in UTF-8, not compressed.')
    const body = await bodies.receive(request, payload)
    return body.length === 0 ? undefined : readStrictJson(body)
  })
}

const methodsAt = allowedMethods(routes)

const mayHaveBody = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

const pathOf = (url: string): string => url.split('?', 1)[0]!

function nothingThere(url: string): ConexError {
  const allow = methodsAt(pathOf(url))
  return allow.length === 0
    ? new ConexError('not_found', 'There is no such path; check the address.')
    : new ConexError('method_not_allowed', `This address only takes ${allow.join(', ')}; use one of these methods.`, {
        allow,
      })
}

function noSchemas(): never {
  throw new Error('A route was declared with a schema; there is no compiler for it.')
}

/** Answers input that is not HTTP, unless an answer is already on its way. */
function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  const underway = (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage?.headersSent === true
  if (!socket.writable || underway || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const known = asConexError(error)
  const told =
    known.code === 'internal' ? new ConexError('invalid_request', 'The request is not well-formed HTTP.') : known
  const id = randomUUID()
  const { problem } = problemOf(told, id)
  const body = stringifyJson(problem)
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      `Content-Type: ${problemType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
