/** Checks a program's address and secrets before anything can put them into an error or a log. */
import { plainFault } from '../catalog/secret-text.ts'
import { ConexError } from '../errors.ts'

/**
 * The address without trailing slashes. An address that could contain a secret is refused, because addresses appear in
 * errors.
 */
export function checkedAddress(name: string, given: unknown): string {
  const url = typeof given === 'string' ? URL.parse(given) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConexError('invalid_request', `${name} must be an http or https address.`)
  if (url.username !== '' || url.password !== '' || /[?#]/.test(given as string))
    throw new ConexError(
      'invalid_request',
      `${name} must be an address without user, password, query and fragment; secrets are given as credentials.`,
    )
  return (given as string).trim().replace(/\/+$/, '')
}

/** The secret without surrounding white space. */
export function checkedSecret(name: string, given: unknown): string {
  if (typeof given !== 'string') throw new ConexError('invalid_request', `${name} must be text.`)
  const secret = given.trim()
  const fault = secret === '' ? 'is empty' : plainFault(secret)
  if (fault !== null) throw new ConexError('invalid_request', `${name} ${fault}.`)
  return secret
}
