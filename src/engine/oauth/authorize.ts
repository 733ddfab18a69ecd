/** Signs requests with a connector's credentials, in the style that its kind declares. */
import { createHmac } from 'node:crypto'
import { type AuthMethod, type Credentials, notedFields, requiredFields } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { fitsHeader } from '../../catalog/secret-text.ts'
import { ConexError } from '../../errors.ts'
import type { PlatformApplication } from '../settings.ts'

/** The credential field in which the moment of expiry is kept, as milliseconds since 1970 in text. */
export const expiryField = 'expires_at'

/** The auth method of these credentials: they have all of its required fields, and no unknown ones. */
export function authMethodOf(connector: Connector, credentials: Credentials): AuthMethod {
  const given = Object.keys(credentials).filter((name) => name !== expiryField)
  const found = connector.authMethods.find(
    (method) =>
      requiredFields(method).every((name) => given.includes(name)) &&
      given.every((name) => Object.hasOwn(method.credentials.properties, name) || notedFields(method).includes(name)),
  )
  if (found !== undefined) return found
  const ways = connector.authMethods.map((method) => requiredFields(method).join(' and '))
  throw new ConexError(
    'invalid_credentials',
    `The credentials fit no way to authorize ${connector.title}; give ${ways.join(', or ')}.`,
  )
}

/** What a request carries to be authorized. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/**
 * What authorizes a request. Undefined when the credentials hold no access token yet. The platform's application stands in
 * for its secret, which is not kept beside the tokens that were made for it.
 */
export function authorizationOf(
  { authorization: style }: AuthMethod,
  credentials: Credentials,
  platform?: PlatformApplication,
): Authorization | undefined {
  if (style.style === 'basic') {
    const pair = `${credentials[style.user]}:${credentials[style.password]}`
    return { headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }, query: {} }
  }
  const token = credentials[style.style === 'bearer' ? style.token : 'access_token']
  if (token === undefined || token === '') return undefined
  if (!fitsHeader(token))
    throw new ConexError(
      'invalid_credentials',
      'The token contains characters that a header cannot have; check that it was copied completely.',
    )
  const proof = style.style === 'bearer' ? style.proof : undefined
  const secret = applicationIn(credentials, platform)?.clientSecret
  const query = proof && secret ? { [proof]: createHmac('sha256', secret).update(token).digest('hex') } : {}
  return { headers: { authorization: `Bearer ${token}` }, query }
}

/** The application that credentials name: their own, or the platform's where they have its id alone. */
export function applicationIn(
  { client_id: clientId, client_secret: clientSecret }: Credentials,
  platform?: PlatformApplication,
): PlatformApplication | null {
  if (clientId && clientSecret) return { clientId, clientSecret }
  return platform !== undefined && platform.clientId === clientId ? platform : null
}

/**
 * The customer's own base address, where the token answer named one. It comes from the system itself, so it wins over
 * the general address; the usual checks decide whether it may be reached.
 */
export function customerAddress(method: AuthMethod, credentials: Credentials): string | undefined {
  const field = notedAddress(method)
  const address = field === undefined ? undefined : credentials[field]
  if (address === undefined || address === '') return undefined
  const url = URL.parse(address)
  if (url === null || url.search !== '' || url.hash !== '')
    throw new ConexError(
      'upstream_invalid_response',
      'The third-party system sent an unusable address for this customer with the renewed access token; give the connector new credentials.',
    )
  return url.href.replace(/\/+$/, '')
}

/** Credentials as their owner gave them, where a renewal noted the customer's address beside them. */
export function withoutCustomerAddress(connector: Connector, credentials: unknown): unknown {
  if (typeof credentials !== 'object' || credentials === null || Array.isArray(credentials)) return credentials
  const noted = connector.authMethods.map(notedAddress)
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => !noted.includes(name)))
}

/** The field beside the credentials in which the customer's address is kept. */
const notedAddress = ({ authorization }: AuthMethod): string | undefined =>
  authorization.style === 'refreshable' ? authorization.customerAddress : undefined
