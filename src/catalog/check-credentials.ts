/** Checks a credentials object against the auth methods of a kind. Messages never repeat a value. */
import { ConexError, type Issue } from '../errors.ts'
import { type AuthMethod, applicationFields, type Credentials, requiredFields } from './authorization.ts'
import { checkOf } from './check.ts'
import type { Connector } from './connector.ts'
import { nearest } from './did-you-mean.ts'
import { plainFault, secretFault } from './secret-text.ts'

/** No credentials have more fields than this. */
const mostFields = 100

export interface CheckedCredentials {
  /** The auth method that the fields match. */
  readonly method: AuthMethod
  /** As given, without surrounding white space, which pasting often adds. */
  readonly credentials: Credentials
}

/** Returns usable credentials, or throws a 422 `invalid_credentials` with the fault of each field. */
export function checkCredentials(connector: Connector, pasted: unknown): CheckedCredentials {
  if (typeof pasted !== 'object' || pasted === null || Array.isArray(pasted))
    throw refused(connector, [{ path: '/credentials', message: 'must be an object' }])
  const given = Object.keys(pasted)
  // Each field is compared with every known name, to find the intended method.
  if (given.length > mostFields)
    throw refused(connector, [{ path: '/credentials', message: `have more than ${mostFields} fields` }])
  const credentials = Object.fromEntries(
    Object.entries(pasted).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )
  const [method]: readonly AuthMethod[] = [...connector.authMethods].sort((a, b) => fit(b, given) - fit(a, given))
  if (method === undefined)
    throw refused(connector, [{ path: '/credentials', message: 'are not supported by this connector' }])
  const issues = checkOf(method.credentials, '/credentials')(credentials)
  if (issues.length === 0) issues.push(...unusable(method, credentials))
  const application = applicationFields(method)
  const missing = application.find((name) => !given.includes(name))
  if (missing !== undefined && application.some((name) => given.includes(name))) {
    issues.push({
      path: `/credentials/${missing}`,
      message: 'is required with the other half of the application; send both or neither',
    })
  }
  if (issues.length > 0) throw refused(connector, issues)
  return { method, credentials }
}

/** Credentials travel in headers and forms: a pasted character could break the request, or smuggle in another one. */
const unusable = (method: AuthMethod, credentials: Credentials): Issue[] =>
  Object.entries(credentials).flatMap(([name, value]) => {
    const { writeOnly } = method.credentials.properties[name] as { readonly writeOnly?: boolean }
    const message = writeOnly === true ? secretFault(value) : plainFault(value)
    return message === null ? [] : [{ path: `/credentials/${name}`, message }]
  })

/** How well the fields match a method: required fields count most, and unknown fields count against it. */
function fit(method: AuthMethod, given: readonly string[]): number {
  const { properties } = method.credentials
  const required = requiredFields(method)
  return given.reduce((sum, name) => {
    if (required.includes(name)) return sum + 4
    if (Object.hasOwn(properties, name)) return sum + 1
    return nearest(name, Object.keys(properties)) === null ? sum - 2 : sum
  }, 0)
}

function refused(connector: Connector, issues: readonly Issue[]): ConexError {
  const ways = connector.authMethods.map((method) => {
    const required = requiredFields(method)
    const fields = Object.keys(method.credentials.properties)
    return `${method.title}: ${fields.map((name) => (required.includes(name) ? name : `${name} (optional)`)).join(', ')}`
  })
  return new ConexError(
    'invalid_credentials',
    `The credentials do not fit ${connector.title}; it takes ${ways.join('; or ')}.`,
    {
      issues,
    },
  )
}
