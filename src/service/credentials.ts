/** Credentials: which method they are for, whether they fit it, and how they are kept. */
import { type AuthMethod, applicationFields, type Credentials } from '../catalog/authorization.ts'
import { checkOf } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError, type Issue } from '../errors.ts'

/** The method that the fields tell, and the credentials. Faults name fields, never values. */
export function checkCredentials(
  connector: Connector,
  given: unknown,
): { method: AuthMethod; credentials: Credentials } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(connector, [{ path: '/credentials', message: 'has to be an object' }])
  let nearest: { issues: Issue[]; method: AuthMethod } | null = null
  for (const method of byFit(connector.authMethods, Object.keys(given))) {
    const issues = checkOf(method.credentials, '/credentials')(given)
    if (issues.length === 0) issues.push(...unsendable(given as Credentials), ...halfApplication(method, given))
    if (issues.length === 0) return { method, credentials: { ...given } }
    nearest ??= { issues, method }
  }
  throw invalid(connector, nearest?.issues ?? [{ path: '/credentials', message: 'are not taken by this kind yet' }])
}

/** The methods, those first that share most fields with what was given. */
function byFit(methods: readonly AuthMethod[], names: readonly string[]): AuthMethod[] {
  const shared = (method: AuthMethod) =>
    names.filter((name) => Object.hasOwn(method.credentials.properties, name)).length
  return methods.toSorted((one, other) => shared(other) - shared(one))
}

/** Credentials travel in headers and forms: a line break pasted along would break the request, or smuggle in another one. */
function unsendable(credentials: Credentials): Issue[] {
  return Object.entries(credentials)
    .filter(([, value]) => !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) || value.length > 16_384)
    .map(([name]) => ({
      path: `/credentials/${name}`,
      message: 'has to be plain ASCII text without line breaks or spaces around it',
    }))
}

/** A token works only with the application that obtained it, so an application is given whole or not at all. */
function halfApplication(method: AuthMethod, given: object): Issue[] {
  const application = applicationFields(method) ?? []
  const missing = application.filter((name) => !Object.hasOwn(given, name))
  if (missing.length !== 1) return []
  return [
    {
      path: `/credentials/${missing[0]}`,
      message: `is needed too: give both ${application.join(' and ')}, or neither`,
    },
  ]
}

function invalid(connector: Connector, issues: readonly Issue[]): ConexError {
  const methods = connector.authMethods.map((method) => {
    const required = (method.credentials as { required?: readonly string[] }).required ?? []
    return `${method.name} (${required.join(', ')})`
  })
  return new ConexError('invalid_credentials', `Give the credentials of one method: ${methods.join(' or ')}.`, {
    issues,
  })
}
