/**
 * Links with which an end user signs in again at the system of a connector, on pages of Conex alone: for programs that
 * have no page of their own to which a browser could return. A link keeps nothing; a consent begins when its page is used.
 */
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import { consentFault, startConsent } from './begin-consent.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

/** The content of a link. It names nobody, because addresses are seen by many. */
export interface OfferedConsent {
  readonly organizationId: string
  readonly connectorId: string
  /** The version of the credentials that it renews; with any other it is used up. */
  readonly version: number
}

/** The content of a link that renews the credentials which a connector has now. */
export async function offerConsent(service: Service, tenant: Tenant, id: string): Promise<OfferedConsent> {
  const { connector, credentials } = await connectorToCall(service, tenant, id)
  const fault = consentFault(service, kindOfConnector(service, connector))
  if (fault === null)
    return { organizationId: tenant.organizationId, connectorId: connector.id, version: credentials.version }
  throw new ConexError(
    'invalid_request',
    `The connector type ${fault}. Send new credentials with PATCH /v1/integrations/connectors/${connector.id} and {"credentials": {…}}, or with "conex connectors update ${connector.id} --credentials <file>".`,
  )
}

/** The connector of a link, and whether its credentials have been renewed since. */
export interface LinkedConnector {
  readonly connector: StoredConnector
  readonly kind: Connector
  readonly isRenewed: boolean
}

export async function linkedConnector(
  service: Service,
  { organizationId, connectorId, version }: OfferedConsent,
): Promise<LinkedConnector> {
  const found = await service.store.connectors.findWithCredentials(
    { organizationId, externalUserId: null },
    connectorId,
  )
  if (found === null)
    throw new ConexError('not_found', 'The connector of this link has been deleted; there is nothing to renew.')
  const { connector, credentials } = found
  return { connector, kind: kindOfConnector(service, connector), isRenewed: credentials.version !== version }
}

/** Begins the consent of a link for this browser alone, and returns the address of the system's consent page. */
export function acceptOffer(
  service: Service,
  { organizationId, version }: OfferedConsent,
  { connector, kind }: LinkedConnector,
  { browser, redirectUrl }: { readonly browser: string; readonly redirectUrl: string },
): Promise<string> {
  const { id: connectorId, externalUserId } = connector
  const asked = { externalUserId, connectorId, replaces: version, browser, redirectUrl }
  return startConsent(service, { organizationId, externalUserId: null }, kind, asked)
}
