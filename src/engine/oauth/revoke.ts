/** Gives a grant back to the system that it came from (RFC 7009). */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { readJson } from '../http/read-json.ts'
import type { Transport } from '../http/transport.ts'
import type { EngineSettings } from '../settings.ts'
import { authMethodOf } from './authorize.ts'
import { applicationOf } from './renew.ts'
import { systemAddress } from './system-address.ts'
import { largestGrant } from './token-endpoint.ts'
import { withoutExpiry } from './token-fields.ts'

/** `unsupported` where the system has no way to take these credentials back: then they are only forgotten here. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

/** Nobody waits long for it: what is deleted is deleted whether or not the system answers. */
const revocationMs = 10_000

export async function revokeGrant(
  transport: Transport,
  settings: EngineSettings,
  connector: Connector,
  baseUrl: string | undefined,
  credentials: Credentials,
): Promise<RevocationOutcome> {
  const given = withoutExpiry(credentials)
  const method = authMethodOf(connector, given)
  const { revocation } = method
  const token = revocation && credentials[revocation.token]
  if (revocation === undefined || !token) return 'unsupported'
  const form = new URLSearchParams()
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (revocation.tokenIn === 'form') form.set('token', token)
  else headers.authorization = `Bearer ${token}`
  const signal = AbortSignal.timeout(Math.min(revocationMs, settings.deadline))
  try {
    if (revocation.application) {
      const { clientId, clientSecret } = applicationFor(method, credentials, connector, settings)
      form.set('client_id', clientId)
      form.set('client_secret', clientSecret)
    }
    const url = systemAddress(revocation.address, connector, baseUrl)
    const answer = await transport.send({
      method: 'POST',
      url,
      headers,
      body: form.toString(),
      signal,
      largest: largestGrant,
    })
    const body = await readJson(answer, largestGrant).catch(() => undefined)
    return took(answer.status, body, revocation.gone ?? []) ? 'revoked' : 'failed'
  } catch {
    return 'failed'
  }
}

function applicationFor(
  { authorization }: AuthMethod,
  credentials: Credentials,
  connector: Connector,
  settings: EngineSettings,
) {
  if (authorization.style !== 'refreshable') throw new Error('Only grants belong to an application.')
  return applicationOf(authorization, credentials, connector, settings)
}

/** A success, unless the body says no under status 200; or a refusal because there is nothing left to revoke. */
function took(status: number, body: unknown, gone: readonly string[]): boolean {
  const { ok, error } = (typeof body === 'object' && body !== null ? body : {}) as { ok?: unknown; error?: unknown }
  if (typeof error === 'string' && gone.includes(error)) return true
  return status >= 200 && status < 300 && ok !== false
}
