/** Signs requests with a connector's credentials, in the style that its kind declares. */
import { type AuthMethod, type Credentials, notedFields, requiredFields } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'

/** The auth method whose fields these credentials have: all that it requires, and none that it does not know. */
export function authMethodOf(connector: Connector, credentials: Credentials): AuthMethod {
  const given = Object.keys(credentials)
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

/** The headers that authorize a request. Undefined when the credentials hold no access token yet. */
export function authorizationHeaders(method: AuthMethod, credentials: Credentials): Record<string, string> | undefined {
  const style = method.authorization
  switch (style.style) {
    case 'bearer':
      return bearer(credentials[style.token])
    case 'refreshable':
      return bearer(credentials[style.accessToken])
    case 'basic': {
      const pair = `${credentials[style.user]}:${credentials[style.password]}`
      return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }
    }
  }
}

function bearer(token: string | undefined): Record<string, string> | undefined {
  if (token === undefined || token === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConexError(
      'invalid_credentials',
      'The token holds characters that no header can carry; check that it was copied whole.',
    )
  return { authorization: `Bearer ${token}` }
}
