/** Renews worn-out credentials at a system's token endpoint (RFC 6749, section 6). Sending and judging are apart. */
import type { Credentials, RefreshableStyle } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import { authMethodOf } from './authorize.ts'
import { scrub } from './refuse.ts'
import { retryDelay } from './retry.ts'
import type { EngineSettings, PlatformApplication } from './settings.ts'
import { type HttpAnswer, type HttpRequest, readJson, type Transport, TransportFault } from './transport.ts'

/** Renewing this long before a token runs out keeps it from doing so on its way to the system, in milliseconds. */
export const renewAhead = 120_000

/** The credential field in which the moment of expiry is kept, as milliseconds since 1970 in text. */
export const expiryField = 'expires_at'

/** New credentials, whole; or null when this kind of credentials cannot be renewed. */
export async function renewCredentials(
  transport: Transport,
  settings: EngineSettings,
  connector: Connector,
  baseUrl: string | undefined,
  credentials: Credentials,
): Promise<Credentials | null> {
  const { [expiryField]: _, ...given } = credentials
  const style = authMethodOf(connector, given).authorization
  if (style.style !== 'refreshable' || !credentials[style.refreshToken]) return null
  const application = applicationOf(style, credentials, settings.platformApplications[connector.kind])
  if (application === null)
    throw new ConexError(
      'reauthorization_required',
      `The access token has to be renewed, but neither the connector nor the platform has a client id and secret for ${connector.title}; give them with the credentials.`,
    )
  const signal = AbortSignal.timeout(settings.deadline)
  const request = renewalRequest(style, connector, baseUrl, credentials, application, signal)
  for (let repeat = 1; ; repeat++) {
    try {
      const answer = await transport.send(request)
      const body = await bodyOf(answer, settings.largestAnswer, signal)
      return renewed(connector, style, credentials, application, answer.status, body, settings.clock.now())
    } catch (error) {
      if (signal.aborted) throw timeout(connector)
      const told = error instanceof TransportFault ? unreachable(connector, error) : error
      const passing =
        error instanceof TransportFault || (error instanceof ConexError && error.code === 'upstream_error')
      if (!passing || repeat > settings.retries) throw told
      await settings.clock.sleep(retryDelay(repeat, 0, settings.random), signal).catch(() => {
        throw timeout(connector)
      })
    }
  }
}

/** The body as JSON; undefined when it is none, since the status alone may say enough. */
async function bodyOf(answer: HttpAnswer, largest: number, signal: AbortSignal): Promise<unknown> {
  try {
    return await readJson(answer, largest, signal)
  } catch (error) {
    if (error instanceof TransportFault && !error.transient) return undefined
    throw error
  }
}

/** Where tokens are renewed: the system's own place, or the same one below the operator's base address. */
export function tokenAddress(style: RefreshableStyle, connector: Connector, baseUrl: string | undefined): URL {
  if (baseUrl === undefined || baseUrl === connector.baseUrl) return new URL(style.tokenAddress.url)
  return new URL(style.tokenAddress.relativeToBase, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
}

function renewalRequest(
  style: RefreshableStyle,
  connector: Connector,
  baseUrl: string | undefined,
  credentials: Credentials,
  { clientId, clientSecret }: PlatformApplication,
  signal: AbortSignal,
): HttpRequest {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: credentials[style.refreshToken]! })
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (style.clientAuthentication === 'body') {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else {
    headers.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  }
  return { method: 'POST', url: tokenAddress(style, connector, baseUrl), headers, body: form.toString(), signal }
}

/** Error codes of a token endpoint that speak of the endpoint, not of the grant (RFC 6749, 4.1.2.1). */
const passingErrors: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']

/** Judges the answer of a token endpoint. */
function renewed(
  connector: Connector,
  style: RefreshableStyle,
  credentials: Credentials,
  application: PlatformApplication,
  status: number,
  body: unknown,
  now: number,
): Credentials {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const pair = `${application.clientId}:${application.clientSecret}`
  const secrets = { ...credentials, clientId: application.clientId, clientSecret: application.clientSecret, pair }
  const said = (text: unknown): string | null => (typeof text === 'string' ? scrub(text, secrets) : null)
  const upstream = { status, code: said(fields.error), message: said(fields.error_description) ?? said(fields.error) }
  const accessToken = fields.access_token
  const granted = status < 300 && typeof accessToken === 'string' && accessToken !== ''
  const denied = status === 400 || status === 401 || typeof fields.error === 'string'
  if (!granted && (status === 429 || status >= 500 || !denied || passingErrors.includes(fields.error)))
    throw new ConexError(
      'upstream_error',
      `${connector.title} could not renew the access token; repeat the call later.`,
      { upstream },
    )
  if (!granted)
    throw new ConexError(
      'reauthorization_required',
      `${connector.title} refuses to renew the access token of this connector; give it new credentials or have its user consent again.`,
      { upstream },
    )
  const refreshToken = fields.refresh_token
  const expiresIn = Number(fields.expires_in)
  const next: Record<string, string> = { ...credentials, [style.accessToken]: accessToken }
  // An answer without a refresh token, or with an empty one, means that the old one stays good.
  if (typeof refreshToken === 'string' && refreshToken !== '') next[style.refreshToken] = refreshToken
  const address = style.customerAddress === undefined ? undefined : fields[style.customerAddress]
  if (typeof address === 'string' && address !== '') next[style.customerAddress!] = address
  delete next[expiryField]
  if (Number.isFinite(expiresIn) && expiresIn > 0) next[expiryField] = String(now + expiresIn * 1000)
  return next
}

/** The application to renew with: the connector's own wins over the platform's. */
function applicationOf(
  style: RefreshableStyle,
  credentials: Credentials,
  platform: PlatformApplication | undefined,
): PlatformApplication | null {
  const clientId = credentials[style.clientId]
  const clientSecret = credentials[style.clientSecret]
  if (clientId && clientSecret) return { clientId, clientSecret }
  return platform ?? null
}

const timeout = (connector: Connector): ConexError =>
  new ConexError(
    'upstream_timeout',
    `${connector.title} did not renew the access token in time; repeat the call later.`,
  )

const unreachable = (connector: Connector, fault: TransportFault): ConexError =>
  new ConexError(
    'upstream_error',
    `${connector.title} could not renew the access token: ${fault.message}; repeat the call later.`,
  )
