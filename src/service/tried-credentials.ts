/** Tries credentials with the check of their kind, before a connector is created with them. */
import type { Credentials } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CredentialSource } from '../engine/call/call.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import type { Tenant } from '../store/tenant.ts'
import { type GivenCredentials, grantRow } from './given-credentials.ts'
import type { Service } from './service.ts'

/** Errors that mean that the credentials are at fault. Any other error may be transient. */
const faultsOfCredentials: readonly ErrorCode[] = [
  'reauthorization_required',
  'upstream_forbidden',
  'upstream_plan_required',
  'record_not_found',
]

/** The credentials after the trial, renewed if necessary. A 422 with the system's own reason if it refuses them. */
export async function triedCredentials(
  service: Service,
  tenant: Tenant,
  kind: Connector,
  given: GivenCredentials,
  signal: AbortSignal | undefined,
): Promise<Credentials> {
  const baseUrl = service.settings.baseUrls[kind.kind]
  let latest = given.credentials
  const credentials: CredentialSource = {
    current: async () => latest,
    async renew() {
      const renewed = await service.engine.renewCredentials(kind, baseUrl, latest)
      if (renewed === null) return null
      // The system may have forgotten the old refresh token. Keep the new one, so that the grant can be tried again.
      if (given.grant !== undefined) {
        const row = grantRow(tenant.organizationId, given.grant.secretHash)
        await service.store.consents.renewGrant(tenant, given.grant, service.sealer.seal(JSON.stringify(renewed), row))
      }
      latest = renewed
      return renewed
    },
  }
  try {
    await service.engine.check({ connector: kind, baseUrl, credentials, signal })
    return latest
  } catch (error) {
    if (!(error instanceof ConexError) || !faultsOfCredentials.includes(error.code)) throw error
    const { message, upstream } = error
    const refusal = `${kind.title} does not accept these credentials${upstream?.message ? ` (${upstream.message})` : ''}`
    const path = given.grant === undefined ? '/credentials' : '/server_side_oauth_secret_id'
    throw new ConexError(
      'invalid_credentials',
      `${refusal}; check them and their rights, and create the connector again.`,
      {
        issues: [{ path, message: upstream?.message ? refusal : message }],
        cause: error,
        ...(upstream && { upstream }),
      },
    )
  }
}
