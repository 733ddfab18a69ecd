/** Gives a grant back to the system that it came from (RFC 7009). */
import type { Credentials } from '../../catalog/authorization.ts'
import { readJson } from '../http/read-json.ts'
import { authMethodOf } from './authorize.ts'
import { applicationOf } from './renew.ts'
import { largestGrant, systemAddress, type TokenContext } from './token-endpoint.ts'
import { withoutExpiry } from './token-fields.ts'

/** `unsupported` where the system has no way to take these credentials back: then they are only forgotten here. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

/** Short, since a deletion is final whether or not the system answers. */
const revocationMs = 10_000

export async function revokeGrant(context: TokenContext, credentials: Credentials): Promise<RevocationOutcome> {
  const { transport, settings, connector, baseUrl } = context
  const { authorization, revocation } = authMethodOf(connector, withoutExpiry(credentials))
  const token = revocation && credentials[revocation.token]
  if (revocation === undefined || !token) return 'unsupported'
  const form = new URLSearchParams()
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (revocation.tokenIn === 'form') form.set('token', token)
  else headers.authorization = `Bearer ${token}`
  try {
    if (revocation.application) {
      if (authorization.style !== 'refreshable') throw new Error('Only grants belong to an application.')
      const { clientId, clientSecret } = applicationOf(authorization, credentials, context)
      form.set('client_id', clientId)
      form.set('client_secret', clientSecret)
    }
    const answer = await transport.send({
      method: 'POST',
      url: systemAddress(revocation.address, connector, baseUrl),
      headers,
      body: form.toString(),
      signal: AbortSignal.timeout(Math.min(revocationMs, settings.deadline)),
      largest: largestGrant,
    })
    const body = await readJson(answer, largestGrant).catch(() => undefined)
    return took(answer.status, body, revocation.gone ?? []) ? 'revoked' : 'failed'
  } catch {
    return 'failed'
  }
}

/** A success, unless the body says no under status 200; or a refusal because there is nothing left to revoke. */
function took(status: number, body: unknown, gone: readonly string[]): boolean {
  const { ok, error } = (typeof body === 'object' && body !== null ? body : {}) as { ok?: unknown; error?: unknown }
  if (typeof error === 'string' && gone.includes(error)) return true
  return status >= 200 && status < 300 && ok !== false
}
