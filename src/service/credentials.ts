/** Credentials that a caller gives: which method they are for, and whether they can travel. Faults name fields, never values. */
import type { AuthMethod, Credentials } from '../catalog/authorization.ts'
import { checkCredentials as methodOf } from '../catalog/check-credentials.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError, type Issue } from '../errors.ts'

/** The method that the fields tell, and the credentials; 422 `invalid_credentials` where they do not fit. */
export function checkCredentials(kind: Connector, given: unknown): { method: AuthMethod; credentials: Credentials } {
  const method = methodOf(kind, given)
  const credentials = { ...(given as Credentials) }
  const issues = unsendable(credentials)
  if (issues.length === 0) return { method, credentials }
  throw new ConexError(
    'invalid_credentials',
    'The credentials hold characters that cannot be sent; check that they were copied whole and nothing else with them.',
    { issues },
  )
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
