/** Asks a system's token endpoint for tokens (RFC 6749, section 5). Sending and judging are apart. */
import type { Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { textIn } from '../../catalog/refusal-text.ts'
import { fitsHeader, longestSecret } from '../../catalog/secret-text.ts'
import type { SystemAddress } from '../../catalog/system-address.ts'
import type { TokenEndpoint, TokenRefusals } from '../../catalog/token-endpoint.ts'
import { ConexError, type ErrorCode, type UpstreamComplaint } from '../../errors.ts'
import type { HttpRequest, WholeAnswer } from '../http/messages.ts'
import { readJson } from '../http/read-json.ts'
import { redact } from '../http/redact.ts'
import { retryAfter, waitToRepeat } from '../http/retry.ts'
import type { Transport } from '../http/transport.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { valueAt } from '../http/value-at.ts'
import type { EngineSettings, PlatformApplication } from '../settings.ts'
import type { Grant } from './token-fields.ts'

/** A system that is asked for tokens, outside of any call. */
export interface TokenContext {
  readonly transport: Transport
  readonly settings: EngineSettings
  readonly connector: Connector
  /** The operator's address for the system, where it is not the system's own. */
  readonly baseUrl: string | undefined
}

export interface TokenRequest {
  readonly endpoint: TokenEndpoint
  readonly application: PlatformApplication
  /** The fields of the request, without the application's own. */
  readonly form: Readonly<Record<string, string>>
  /** Texts to keep out of errors, beside the application, should the system repeat them. */
  readonly secrets: Credentials
  /** The purpose of the request, as the end of "could not …". */
  readonly purpose: string
}

/** A definite no: to what was to be redeemed, or to the application that wanted to. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly about: 'grant' | 'application'
  readonly upstream: UpstreamComplaint
  constructor(about: TokenRefused['about'], upstream: UpstreamComplaint) {
    super(`The token endpoint refuses the ${about}.`)
    this.about = about
    this.upstream = upstream
  }
}

/** The error for a refused application of the platform, which only the operator can mend. */
export const applicationRefused = ({ title, kind }: Connector, { upstream }: TokenRefused): ConexError =>
  new ConexError(
    'upstream_refused',
    `${title} does not accept the application of this platform; its operator has to check the client id and secret set for ${kind}.`,
    { upstream },
  )

/** The grant, after as many repeats as the settings allow. Throws TokenRefused, or the error that the caller should see. */
export async function askToken(context: TokenContext, request: TokenRequest): Promise<Grant> {
  const { transport, settings, connector } = context
  const signal = AbortSignal.timeout(settings.deadline)
  const message = httpRequest(context, request, signal)
  for (let repeat = 1; ; repeat++) {
    let asked = 0
    try {
      const answer = await transport.send(message)
      asked = retryAfter(answer.headers['retry-after'], settings.clock.now())
      return judge(connector, request, answer.status, await bodyOf(answer), asked || settings.retryCeiling)
    } catch (error) {
      const passing = error instanceof TransportFault || (error instanceof ConexError && passingErrors.has(error.code))
      const deadline = { settings, signal, endsAt: Number.POSITIVE_INFINITY }
      const again = passing && !signal.aborted && (await waitToRepeat(deadline, repeat, asked).catch(() => false))
      if (signal.aborted)
        throw new ConexError(
          'upstream_timeout',
          `${connector.title} did not ${request.purpose} in time; repeat the call later.`,
        )
      if (!again) throw error instanceof TransportFault ? failed(connector, request, `: ${error.message}`) : error
    }
  }
}

function httpRequest(
  { connector, baseUrl }: TokenContext,
  { endpoint, application: { clientId, clientSecret }, form }: TokenRequest,
  signal: AbortSignal,
): HttpRequest {
  const inBody = endpoint.clientAuthentication === 'body'
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (!inBody) headers.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const fields = new URLSearchParams({ ...form, ...(inBody && { client_id: clientId, client_secret: clientSecret }) })
  const url = systemAddress(endpoint.tokenAddress, connector, baseUrl)
  return { method: 'POST', url, headers, body: fields.toString(), signal, largest: largestGrant }
}

/** The address of a system: its own, or the same one below the operator's base address. */
export function systemAddress(
  { url, relativeToBase }: SystemAddress,
  connector: Connector,
  baseUrl: string | undefined,
): URL {
  if (baseUrl === undefined || baseUrl === connector.baseUrl) return new URL(url)
  return new URL(relativeToBase, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
}

/** The body as JSON; undefined when it is none, since the status alone may say enough. */
async function bodyOf(answer: WholeAnswer): Promise<unknown> {
  try {
    return await readJson(answer, largestGrant)
  } catch (error) {
    if (error instanceof TransportFault && !error.transient) return undefined
    throw error
  }
}

const passingErrors: ReadonlySet<string> = new Set(['upstream_error', 'upstream_rate_limited'] satisfies ErrorCode[])

/** Codes that speak of the endpoint (RFC 6749, 4.1.2.1), and of the application (5.2). */
const passingCodes: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']
const applicationCodes: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

/** `wait` is how many milliseconds to tell the caller of an endpoint that asks to slow down. */
function judge(connector: Connector, request: TokenRequest, status: number, body: unknown, wait: number): Grant {
  const { endpoint, purpose } = request
  const refusals = endpoint.refusals ?? {}
  const grant = (endpoint.grantAt ?? [[]]).map((path) => valueAt(body, path)).find(isGrant)
  if (status < 300 && grant !== undefined) return grant
  const codes = (refusals.codesAt ?? [['error']])
    .map((path) => valueAt(body, path))
    .filter((code) => typeof code === 'string' || typeof code === 'number')
    .map(String)
  const upstream = complaintOf(request, status, codes, body)
  if (status === 429)
    throw new ConexError(
      'upstream_rate_limited',
      `${connector.title} asks to slow down and did not ${purpose}; repeat the call after the time in retry_after.`,
      { upstream, retryAfter: Math.ceil(wait / 1000) },
    )
  const denied = status === 400 || status === 401 || codes.length > 0
  const passing = [...passingCodes, ...(refusals.passing ?? [])]
  if (!denied || status >= 500 || [status, ...codes].some((code) => passing.includes(code)))
    throw failed(connector, request, '', upstream)
  throw new TokenRefused(speakOf(refusals, codes), upstream)
}

/** In bytes; a grant is a few tokens. */
export const largestGrant = 1024 * 1024

/** What cannot be used is no grant: kept in the place of credentials that work, it would be all that is left. */
function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'object' || value === null) return false
  const { access_token: token, refresh_token: next } = value as Partial<Grant>
  const isUsual = (text: unknown): boolean => typeof text !== 'string' || text.length <= longestSecret
  return typeof token === 'string' && isUsual(token) && isUsual(next) && fitsHeader(token)
}

function speakOf({ application = [], grant }: TokenRefusals, codes: readonly string[]): TokenRefused['about'] {
  if (grant !== undefined) return codes.some((code) => grant.includes(code)) ? 'grant' : 'application'
  return codes.some((code) => application.includes(code) || applicationCodes.includes(code)) ? 'application' : 'grant'
}

function complaintOf(
  { application: { clientId, clientSecret }, form, secrets }: TokenRequest,
  status: number,
  [code]: readonly string[],
  body: unknown,
): UpstreamComplaint {
  const hidden = { ...secrets, clientId, clientSecret, pair: `${clientId}:${clientSecret}` }
  for (const name of ['code', 'code_verifier', 'refresh_token'])
    if (form[name] !== undefined) Object.assign(hidden, { [`form ${name}`]: form[name] })
  return {
    status,
    code: code === undefined ? null : redact(code, hidden),
    message: redact(textIn(body), hidden) || null,
  }
}

const failed = (
  { title }: Connector,
  { purpose }: TokenRequest,
  why: string,
  upstream?: UpstreamComplaint,
): ConexError =>
  new ConexError('upstream_error', `${title} could not ${purpose}${why}; repeat the call later.`, {
    ...(upstream && { upstream }),
  })
