/** The credentials in a request: flat, or as the secret_id of a finished consent. */
import type { AuthMethod, Credentials } from '../catalog/authorization.ts'
import { checkCredentials } from '../catalog/check-credentials.ts'
import type { Connector } from '../catalog/connector.ts'
import { optional, text } from '../catalog/fields.ts'
import { consentMethod } from '../engine/oauth/consent.ts'
import { ConexError } from '../errors.ts'
import type { GrantBinding } from '../store/consents.ts'
import type { Tenant } from '../store/tenant.ts'
import { hashOf } from './one-time-secret.ts'
import type { Service } from './service.ts'

export const secretIdField = optional(
  text('The secret_id of a finished consent, instead of credentials.', { minLength: 1, maxLength: 200 }),
)

export interface GivenCredentials {
  readonly method: AuthMethod
  readonly credentials: Credentials
  /** Their grant, which works once; undefined for flat credentials. */
  readonly grant: GrantBinding | undefined
}

/** Flat credentials, checked. */
export function flatCredentials(kind: Connector, given: unknown): GivenCredentials {
  return { ...checkCredentials(kind, given), grant: undefined }
}

/** The credentials of a finished consent. It works only for its own organization, end user and kind. */
export async function consentedCredentials(
  service: Service,
  tenant: Tenant,
  kind: Connector,
  externalUserId: string,
  secretId: string,
): Promise<GivenCredentials> {
  const grant: GrantBinding = { secretHash: hashOf(secretId), externalUserId, connectorType: kind.kind }
  // A slow store may still be writing them.
  await service.unsaved.saved(grantRow(tenant.organizationId, grant.secretHash).connectorId)
  const found = await service.store.consents.findGrant(tenant, grant, new Date(service.now()).toISOString())
  const method = consentMethod(kind)
  if (found === null || method === null)
    throw new ConexError(
      'not_found',
      'There is no such server_side_oauth_secret_id for this end user and connector type: it is unknown, or older than an hour; let the end user consent again.',
    )
  if (found.sealed === null) throw grantUsed()
  const opened = service.sealer.open(found.sealed, grantRow(tenant.organizationId, grant.secretHash))
  return { method, credentials: JSON.parse(opened) as Credentials, grant }
}

/** The 409 for a secret_id that was used already. */
export const grantUsed = (): ConexError =>
  new ConexError(
    'conflict',
    'This server_side_oauth_secret_id was already used, and works only once; use the connector that it created, or let the end user consent again.',
  )

/** The row to which the sealed grant is bound. */
export const grantRow = (organizationId: string, secretHash: string) => ({
  organizationId,
  connectorId: `grant ${secretHash}`,
})
