/** Gets one whole answer from a system: authorizes, repeats what may be repeated, renews once, and judges what comes. */
import type { AuthMethod, Credentials } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { Refusal, UpstreamAnswer } from '../catalog/refusal.ts'
import { ConexError } from '../errors.ts'
import { stringifyJson } from '../json.ts'
import { authMethodOf, authorizationHeaders } from './authorize.ts'
import type { CredentialSource } from './call.ts'
import { expiryField } from './granted.ts'
import { refusalError, refusalOf } from './refuse.ts'
import type { SystemRequest } from './request.ts'
import { retryAfter, retryDelay } from './retry.ts'
import type { EngineSettings } from './settings.ts'
import { type HttpAnswer, readJson, type Transport, TransportFault } from './transport.ts'

/** What all requests of one call share. */
export interface Conversation {
  readonly connector: Connector
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly credentials: CredentialSource
  readonly transport: Transport
  readonly settings: EngineSettings
  /** Aborts at the deadline or when the caller has gone. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970 at which the deadline strikes. */
  readonly endsAt: number
}

/** Thrown to the paging styles when the system says that fewer records on a page may work. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge'
  readonly error: ConexError
  constructor(error: ConexError) {
    super(error.message)
    this.error = error
  }
}

/** The answer to a request, or the error that the caller should see. */
export async function ask(conversation: Conversation, request: SystemRequest): Promise<unknown> {
  const { connector, settings, signal } = conversation
  let credentials = await orAbort(conversation.credentials.current(), signal)
  let renewed = false
  for (let repeat = 1; ; repeat++) {
    const method = authMethodOf(connector, withoutExpiry(credentials))
    const outcome = await attempt(conversation, request, method, credentials)
    if (!('fault' in outcome)) return outcome.body
    const { fault } = outcome
    if (fault.kind === 'unauthorized' && !renewed) {
      const fresh = await orAbort(conversation.credentials.renew(credentials), signal)
      if (fresh === null) throw fault.error
      credentials = fresh
      renewed = true
      repeat--
      continue
    }
    const wait = retryDelay(repeat, fault.asked, settings.random)
    const hopeless = fault.kind !== 'passing' || repeat > settings.retries || fault.asked > settings.retryCeiling
    if (hopeless || conversation.settings.clock.now() + wait >= conversation.endsAt) throw fault.error
    settings.log.debug(
      { connector_type: connector.kind, repeat, wait, code: codeOf(fault.error) },
      'repeating a request',
    )
    await settings.clock.sleep(wait, signal)
    // A wait can outlive a token, so it is looked at again, and may be renewed again: as often as there are waits.
    credentials = await orAbort(conversation.credentials.current(), signal)
    renewed = false
  }
}

/** Waits for work that others may share and that goes on without us, until the deadline or the caller ends our wait. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Fault {
  readonly kind: 'final' | 'passing' | 'unauthorized'
  readonly error: Error
  /** Milliseconds that the system asked to wait. */
  readonly asked: number
}

async function attempt(
  conversation: Conversation,
  request: SystemRequest,
  method: AuthMethod,
  credentials: Credentials,
): Promise<{ readonly body: unknown } | { readonly fault: Fault }> {
  const { connector, settings, signal } = conversation
  const authorization = authorizationHeaders(method, credentials)
  if (authorization === undefined) {
    const error = new ConexError(
      'reauthorization_required',
      `The connector has no access token for ${connector.title} yet; give it credentials that can be renewed.`,
    )
    return { fault: { kind: 'unauthorized', error, asked: 0 } }
  }
  try {
    const { answer, strayed } = await sendFollowing(conversation, request, authorization)
    const status = answer.status
    const body = await readBody(answer, settings.largestAnswer, signal)
    const upstream: UpstreamAnswer = { status, headers: answer.headers, body: body.json }
    const refusal = refusalOf(connector, upstream)
    if (refusal === null) {
      if (body.fault !== null) throw body.fault
      return { body: body.json }
    }
    return { fault: faultOf(conversation, upstream, refusal, credentials, strayed) }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    return { fault: { kind: error.transient ? 'passing' : 'final', error: transportError(connector, error), asked: 0 } }
  }
}

function faultOf(
  { connector, settings }: Conversation,
  { status, headers }: UpstreamAnswer,
  refusal: Refusal,
  credentials: Credentials,
  strayed: boolean,
): Fault {
  const asked =
    refusal.retryAfter === undefined
      ? retryAfter(headers['retry-after'], settings.clock.now())
      : refusal.retryAfter * 1000
  const passing = refusal.transient === true
  const waitSeconds =
    asked > 0
      ? Math.ceil(asked / 1000)
      : refusal.code === 'upstream_rate_limited'
        ? Math.ceil(settings.retryCeiling / 1000)
        : undefined
  if (strayed && refusal.code === 'reauthorization_required') {
    const error = new ConexError(
      'upstream_error',
      `${connector.title} redirected the request to another host, which wants a login; nothing was given to it.`,
    )
    return { kind: 'final', error, asked: 0 }
  }
  const error = refusalError(connector, status, refusal, credentials, waitSeconds)
  if (refusal.smallerPage) throw new PageTooLarge(error)
  return {
    kind: refusal.code === 'reauthorization_required' ? 'unauthorized' : passing ? 'passing' : 'final',
    error,
    asked,
  }
}

/** The body as JSON; where it is none, the fault of that, which counts only if nothing else is wrong. */
async function readBody(
  answer: HttpAnswer,
  largest: number,
  signal: AbortSignal,
): Promise<{ json: unknown; fault: TransportFault | null }> {
  try {
    return { json: await readJson(answer, largest, signal), fault: null }
  } catch (error) {
    if (error instanceof TransportFault) return { json: undefined, fault: error }
    throw error
  }
}

const mostRedirects = 5

/** Sends the request and follows redirects of reads; the credentials stay with the origin they belong to. */
async function sendFollowing(
  { baseUrl, transport, signal, connector }: Conversation,
  { method, path, body }: SystemRequest,
  authorization: Record<string, string>,
): Promise<{ answer: HttpAnswer; strayed: boolean }> {
  let url = new URL(baseUrl + path)
  let strayed = false
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': 'conex',
    }
    if (!strayed) Object.assign(headers, authorization)
    if (body !== undefined) headers['content-type'] = 'application/json'
    const answer = await transport.send({
      method,
      url,
      headers,
      signal,
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    })
    const location = answer.headers.location
    if (answer.status < 300 || answer.status >= 400 || typeof location !== 'string') return { answer, strayed }
    answer.body.destroy()
    const next = URL.parse(location, url.href)
    // What a POST carries is meant for this system alone.
    if (next === null || method !== 'GET') break
    strayed ||= next.origin !== url.origin
    url = next
  }
  throw new ConexError(
    'upstream_error',
    `${connector.title} redirects the request without end or to an unusable address; repeat the call later.`,
  )
}

function transportError(connector: Connector, { reason, message }: TransportFault): ConexError {
  return reason === 'unusable'
    ? new ConexError(
        'upstream_invalid_response',
        `${connector.title} gave an answer that cannot be used: ${message}; repeat the call later.`,
      )
    : new ConexError('upstream_error', `${connector.title} gave no answer: ${message}; repeat the call later.`)
}

/** Credentials without what the platform itself noted beside them. */
function withoutExpiry(credentials: Credentials): Credentials {
  if (!Object.hasOwn(credentials, expiryField)) return credentials
  const { [expiryField]: _, ...given } = credentials
  return given
}

const codeOf = (error: Error): string => (error instanceof ConexError ? error.code : error.name)
