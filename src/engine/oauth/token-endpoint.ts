/** Asks a system's token endpoint for tokens (RFC 6749, section 5). */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { plainNumber } from '../../catalog/plain-value.ts'
import { textIn } from '../../catalog/refusal-text.ts'
import { fitsHeader, longestSecret } from '../../catalog/secret-text.ts'
import type { SystemAddress } from '../../catalog/system-address.ts'
import type { TokenEndpoint, TokenRefusals } from '../../catalog/token-endpoint.ts'
import { ConexError, type UpstreamComplaint } from '../../errors.ts'
import type { Transport } from '../http/messages.ts'
import { readJson } from '../http/read-json.ts'
import { redact } from '../http/redact.ts'
import { Passing, repeated, retryAfter } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { valueAt } from '../http/value-at.ts'
import type { EngineSettings, PlatformApplication } from '../settings.ts'
import { expiryField } from './authorize.ts'

/** A system that is asked outside of any call. */
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
  /** Texts to keep out of errors, beside the form, should the system repeat them. */
  readonly secrets?: Credentials
  /** The purpose of the request, as the end of "could not …". */
  readonly purpose: string
  /** The error for a definite no: to the grant, or to the application that redeems it. */
  readonly refused: (about: 'grant' | 'application', upstream: UpstreamComplaint) => ConexError
}

/** The error for a refused application of the platform, which only the operator can mend. */
export const applicationRefused = ({ title, kind }: Connector, upstream: UpstreamComplaint): ConexError =>
  new ConexError(
    'upstream_refused',
    `${title} does not accept the application of this platform; the operator must check the client id and secret for ${kind}.`,
    { upstream },
  )

/** The credential fields that a grant fills, after as many repeats as the settings allow. */
export async function askToken(
  context: TokenContext,
  method: AuthMethod,
  request: TokenRequest,
): Promise<Record<string, string>> {
  const { connector, settings } = context
  const signal = AbortSignal.timeout(settings.deadline)
  const deadline = { settings, signal, endsAt: Number.POSITIVE_INFINITY }
  try {
    const grant = await repeated(deadline, () => attempt(context, request, signal))
    return { ...fieldsOf(method, grant, settings.clock.now()), client_id: request.application.clientId }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new ConexError(
      'upstream_timeout',
      `${connector.title} did not ${request.purpose} in time; repeat the call later.`,
    )
  }
}

/** The fields of an answer that hold a grant; its access token is text that can be sent. */
type Grant = Readonly<Record<string, unknown>> & { readonly access_token: string }

async function attempt(context: TokenContext, request: TokenRequest, signal: AbortSignal): Promise<Grant | Passing> {
  const { endpoint, application, form } = request
  const { clientId, clientSecret } = application
  const inBody = endpoint.clientAuthentication === 'body'
  const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const sent = { ...form, ...(inBody && { client_id: clientId, client_secret: clientSecret }) }
  try {
    const answer = await post(context, endpoint.tokenAddress, sent, inBody ? null : `Basic ${pair}`, signal)
    return judge(context, request, answer)
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    return new Passing(failed(context.connector, request, `: ${error.message}`))
  }
}

/** In bytes; a grant is a few tokens. */
const largestAnswer = 1024 * 1024

interface PostAnswer {
  readonly status: number
  /** Undefined when it is no JSON, since the status alone may say enough. */
  readonly body: unknown
  /** How many milliseconds the system asks to wait. */
  readonly asked: number
}

/** Sends a form to a system. Throws TransportFault where no whole answer comes. */
export async function post(
  { transport, settings, connector, baseUrl }: TokenContext,
  address: SystemAddress,
  form: Readonly<Record<string, string>>,
  authorization: string | null,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const answer = await transport.send({
    method: 'POST',
    url: systemAddress(address, connector, baseUrl),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(authorization !== null && { authorization }),
    },
    body: new URLSearchParams(form).toString(),
    signal,
    largest: largestAnswer,
  })
  const body = await readJson(answer, largestAnswer).catch((error: unknown) => {
    if (!(error instanceof TransportFault) || error.transient) throw error
  })
  return { status: answer.status, body, asked: retryAfter(answer.headers['retry-after'], settings.clock.now()) }
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

/** Codes that speak of the endpoint (RFC 6749, 4.1.2.1), and of the application (5.2). */
const passingCodes: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']
const applicationCodes: readonly string[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

/** The grant, or an error after which the same request can soon succeed; throws a refusal. */
function judge(
  { connector, settings }: TokenContext,
  request: TokenRequest,
  { status, body, asked }: PostAnswer,
): Grant | Passing {
  const { grantAt = [[]], refusals = {} } = request.endpoint
  const grant = grantAt.map((path) => valueAt(body, path)).find(isGrant)
  if (status < 300 && grant !== undefined) return grant
  const { codesAt = [['error']], passing = [] } = refusals
  const codes = codesAt
    .map((path) => valueAt(body, path))
    .filter((code) => typeof code === 'string' || typeof code === 'number')
    .map(String)
  const upstream = complaintOf(request, status, codes, body)
  if (status === 429) {
    const detail = `${connector.title} asks to slow down and did not ${request.purpose}; repeat the call after the time in retry_after.`
    const wait = Math.ceil((asked || settings.retryCeiling) / 1000)
    return new Passing(new ConexError('upstream_rate_limited', detail, { upstream, retryAfter: wait }), asked)
  }
  const isDenied = (status === 400 || status === 401 || codes.length > 0) && status < 500
  if (!isDenied || [status, ...codes].some((code) => passingCodes.includes(code) || passing.includes(code)))
    return new Passing(failed(connector, request, '', { upstream }), asked)
  throw request.refused(isOfGrant(refusals, codes) ? 'grant' : 'application', upstream)
}

/** Refuses an unusable grant, which would otherwise replace credentials that work. */
function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'object' || value === null) return false
  const { access_token: token, refresh_token: next } = value as Partial<Grant>
  const isUsual = (text: unknown): boolean => typeof text !== 'string' || text.length <= longestSecret
  return typeof token === 'string' && isUsual(token) && isUsual(next) && fitsHeader(token)
}

const isOfGrant = ({ application = [], grant }: TokenRefusals, codes: readonly string[]): boolean =>
  grant === undefined
    ? !codes.some((code) => application.includes(code) || applicationCodes.includes(code))
    : codes.some((code) => grant.includes(code))

function complaintOf(
  { application: { clientId, clientSecret }, form, secrets }: TokenRequest,
  status: number,
  [code]: readonly string[],
  body: unknown,
): UpstreamComplaint {
  // The words of the standard are no secrets, and help to understand a complaint.
  const { grant_type: _, redirect_uri: __, ...sent } = form
  const hidden = { ...secrets, ...sent, clientId, clientSecret, pair: `${clientId}:${clientSecret}` }
  return {
    status,
    code: code === undefined ? null : redact(code, hidden),
    message: redact(textIn(body), hidden) || null,
  }
}

const failed = ({ title }: Connector, { purpose }: TokenRequest, why: string, more: object = {}): ConexError =>
  new ConexError('upstream_error', `${title} could not ${purpose}${why}; repeat the call later.`, more)

/** The credential fields of a method that a grant fills, and when its token runs out. */
function fieldsOf({ authorization: style, consent }: AuthMethod, grant: Grant, now: number): Record<string, string> {
  const fields: Record<string, string> = {}
  if (style.style === 'bearer') fields[style.token] = grant.access_token
  if (style.style === 'refreshable') {
    fields.access_token = grant.access_token
    // An answer without one of these, or with an empty one, means that the old one stays good.
    for (const name of ['refresh_token', style.customerAddress ?? []].flat()) {
      const value = grant[name]
      if (typeof value === 'string' && value !== '') fields[name] = value
    }
  }
  const told = plainNumber(grant.expires_in)
  const seconds = told > 0 && Number.isFinite(told) ? told : consent?.exchange?.seconds
  if (seconds !== undefined) fields[expiryField] = String(now + seconds * 1000)
  return fields
}
