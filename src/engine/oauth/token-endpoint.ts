/** Asks a system's token endpoint for tokens (RFC 6749, section 5). Sending and judging are apart. */
import type { Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { textIn } from '../../catalog/refusal-text.ts'
import { fitsHeader, longestSecret } from '../../catalog/secret-text.ts'
import type { TokenEndpoint, TokenRefusals } from '../../catalog/token-endpoint.ts'
import { ConexError, type ErrorCode, type UpstreamComplaint } from '../../errors.ts'
import type { HttpRequest } from '../http/http-request.ts'
import { readJson } from '../http/read-json.ts'
import { redact } from '../http/redact.ts'
import { retryAfter, retryDelay } from '../http/retry.ts'
import type { Transport } from '../http/transport.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { valueAt } from '../http/value-at.ts'
import type { WholeAnswer } from '../http/whole-answer.ts'
import type { EngineSettings, PlatformApplication } from '../settings.ts'
import { systemAddress } from './system-address.ts'
import type { Grant } from './token-fields.ts'

export interface TokenRequest {
  readonly connector: Connector
  readonly baseUrl: string | undefined
  readonly endpoint: TokenEndpoint
  readonly application: PlatformApplication
  /** What is asked for, without the application. */
  readonly form: Readonly<Record<string, string>>
  /** What the system may not be heard repeating, beside the application. */
  readonly secrets: Credentials
  /** What is being done, as the end of "could not …". */
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

/** The grant, after as many repeats as the settings allow. Throws TokenRefused, or the error that the caller should see. */
export async function askToken(transport: Transport, settings: EngineSettings, request: TokenRequest): Promise<Grant> {
  const signal = AbortSignal.timeout(settings.deadline)
  const message = httpRequest(request, signal)
  const late = (): ConexError =>
    new ConexError(
      'upstream_timeout',
      `${request.connector.title} did not ${request.purpose} in time; repeat the call later.`,
    )
  for (let repeat = 1; ; repeat++) {
    let asked = 0
    try {
      const answer = await transport.send(message)
      asked = retryAfter(answer.headers['retry-after'], settings.clock.now())
      const body = await bodyOf(answer, largestGrant)
      return judge(request, answer.status, body, Math.ceil((asked || settings.retryCeiling) / 1000))
    } catch (error) {
      if (signal.aborted) throw late()
      const passing = error instanceof TransportFault || (error instanceof ConexError && passingErrors.has(error.code))
      if (!passing || repeat > settings.retries || asked > settings.retryCeiling)
        throw error instanceof TransportFault ? failed(request, error) : error
      await settings.clock.sleep(retryDelay(repeat, asked, settings.random), signal).catch(() => {
        throw late()
      })
    }
  }
}

function httpRequest(
  { connector, baseUrl, endpoint, application: { clientId, clientSecret }, form }: TokenRequest,
  signal: AbortSignal,
): HttpRequest {
  const fields = new URLSearchParams(form)
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (endpoint.clientAuthentication === 'body') {
    fields.set('client_id', clientId)
    fields.set('client_secret', clientSecret)
  } else {
    headers.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  }
  const url = systemAddress(endpoint.tokenAddress, connector, baseUrl)
  return { method: 'POST', url, headers, body: fields.toString(), signal, largest: largestGrant }
}

/** The body as JSON; undefined when it is none, since the status alone may say enough. */
async function bodyOf(answer: WholeAnswer, largest: number): Promise<unknown> {
  try {
    return await readJson(answer, largest)
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

/** `waitSeconds` is what to tell a caller of an endpoint that asks to slow down. */
function judge(request: TokenRequest, status: number, body: unknown, waitSeconds: number): Grant {
  const { endpoint } = request
  const refusals = endpoint.refusals ?? {}
  const grant = (endpoint.grantAt ?? [[]]).map((path) => valueAt(body, path)).find(isGrant)
  if (status < 300 && grant !== undefined) return grant
  const codes = (refusals.codesAt ?? [['error']])
    .map((path) => valueAt(body, path))
    .filter((code) => typeof code === 'string' || typeof code === 'number')
    .map(String)
  const upstream = complaintOf(request, status, codes, body)
  if (status === 429) throw slowed(request, upstream, waitSeconds)
  const denied = status === 400 || status === 401 || codes.length > 0
  const passing = [...passingCodes, ...(refusals.passing ?? [])]
  if (!denied || status >= 500 || [status, ...codes].some((code) => passing.includes(code)))
    throw failed(request, null, upstream)
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

const slowed = ({ connector, purpose }: TokenRequest, upstream: UpstreamComplaint, retryAfter: number): ConexError =>
  new ConexError(
    'upstream_rate_limited',
    `${connector.title} asks to slow down and did not ${purpose}; repeat the call after the time in retry_after.`,
    { upstream, retryAfter },
  )

function failed(
  { connector, purpose }: TokenRequest,
  fault: TransportFault | null,
  upstream?: UpstreamComplaint,
): ConexError {
  const why = fault === null ? '' : `: ${fault.message}`
  return new ConexError(
    'upstream_error',
    `${connector.title} could not ${purpose}${why}; repeat the call later.`,
    upstream === undefined ? {} : { upstream },
  )
}
