/** Gives a grant back to the system that it came from (RFC 7009). */
import type { Credentials } from '../../catalog/authorization.ts'
import { valueAt } from '../http/value-at.ts'
import { authMethodOf } from './authorize.ts'
import { applicationOf } from './renew.ts'
import { post, type TokenContext } from './token-endpoint.ts'

/** `unsupported` where the system has no way to take these credentials back: then they are only forgotten here. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

/** Short, since a deletion is final whether or not the system answers. */
const revocationMs = 10_000

export async function revokeGrant(context: TokenContext, credentials: Credentials): Promise<RevocationOutcome> {
  const { revocation } = authMethodOf(context.connector, credentials)
  const token = revocation && credentials[revocation.token]
  if (revocation === undefined || !token) return 'unsupported'
  const inForm = revocation.tokenIn === 'form'
  try {
    const { clientId, clientSecret } = revocation.application ? applicationOf(context, credentials) : {}
    const form = {
      ...(inForm && { token }),
      ...(clientId && clientSecret && { client_id: clientId, client_secret: clientSecret }),
    }
    const signal = AbortSignal.timeout(Math.min(revocationMs, context.settings.deadline))
    const { status, body } = await post(context, revocation.address, form, inForm ? null : `Bearer ${token}`, signal)
    const code = valueAt(body, ['error'])
    // A refusal may mean that there is nothing left to revoke; and a success is none where the body says no.
    const isGone = typeof code === 'string' && revocation.gone?.includes(code)
    const isDone = status >= 200 && status < 300 && valueAt(body, ['ok']) !== false
    return isGone || isDone ? 'revoked' : 'failed'
  } catch {
    return 'failed'
  }
}
