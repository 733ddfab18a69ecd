/** Begins a consent: returns the address where an end user grants Conex access to their account. */
import Type, { type Static } from 'typebox'
import type { Connector } from '../catalog/connector.ts'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { optional, text } from '../catalog/fields.ts'
import { consentAddress, consentMethod, newVerifier } from '../engine/oauth/consent.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import type { ConsentBegun } from '../wire.ts'
import { endUserFields, endUserOf, kindFields, kindOf, nameText } from './aliases.ts'
import { hashOfState, newState } from './consent-state.ts'
import { checkReplicationConfig, notUsedFields, unusedOf } from './create-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { isId } from './new-id.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { readRedirectUrl } from './redirect-url.ts'
import type { Service } from './service.ts'

export const consentInitiation = Type.Object(
  {
    ...endUserFields,
    ...kindFields,
    connector_id: optional(
      text('The connector that the consent renews; it determines the end user and the connector type.', {
        minLength: 1,
        maxLength: 64,
      }),
    ),
    name: optional(nameText('After the consent, creates the connector with this name, or renews the existing one.')),
    ...notUsedFields,
    redirect_url: Type.String({
      description:
        'Where the browser goes after the consent: https, or http on a loopback host. Conex adds secret_id to its query.',
      minLength: 1,
      maxLength: 2048,
      'x-form': 'an address of 1 to 2048 characters',
    }),
  },
  { additionalProperties: false },
)

/** The time that the end user may take. */
const consentMs = 10 * 60_000

/** The data of a consent, stored until its code is redeemed. */
export interface Begun {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string | null
  /** The connector that the consent renews. */
  readonly connectorId?: string
  /** The version of its credentials that the consent of a link replaces, and no other. */
  readonly replaces?: number
  /** The body that creates the connector. */
  readonly creation?: Readonly<Record<string, unknown>>
  /** The client that began the consent, for the audit log. */
  readonly begunBy?: string | undefined
}

export async function beginConsent(service: Service, tenant: Tenant, body: unknown): Promise<ConsentBegun> {
  const asked = decode(consentInitiation, body)
  const { connector_id: connectorId, name, replication_config } = asked
  if (connectorId !== undefined && name !== undefined)
    throw invalidRequest([{ path: '/name', message: 'cannot be sent with connector_id; the connector keeps its name' }])
  const renewed = connectorId === undefined ? null : await connectorToRenew(service, tenant, connectorId, asked)
  const externalUserId = renewed?.externalUserId ?? endUserOf(asked)
  if (externalUserId === undefined) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
  const kind = renewed === null ? kindOf(service.catalog, asked) : kindOfConnector(service, renewed)
  if (kind === undefined) throw invalidRequest([{ path: '/connector_type', message: 'is required' }])
  if (name !== undefined) checkReplicationConfig(kind, replication_config)
  const redirectUrl = readRedirectUrl(asked.redirect_url, await service.store.organizations.redirectUrls(tenant))
  const consent_url = await startConsent(service, tenant, kind, {
    externalUserId,
    redirectUrl,
    ...(renewed && { connectorId: renewed.id }),
    ...(name !== undefined && { creation: { name, ...(replication_config && { replication_config }) } }),
    begunBy: tenant.clientId,
  })
  const warnings = unusedOf(kind, asked, name === undefined)
  return { consent_url, ...(warnings.length > 0 && { warnings }) }
}

/** What is asked of a consent, whoever begins it. */
interface Asked extends Pick<Begun, 'connectorId' | 'replaces' | 'creation' | 'begunBy'> {
  readonly externalUserId: string
  readonly redirectUrl: string
  /** The browser that has to come back; any browser by default. */
  readonly browser?: string
}

/** Keeps a consent until the browser comes back from it, and returns the address of the system's consent page. */
export async function startConsent(
  service: Service,
  tenant: Tenant,
  kind: Connector,
  { externalUserId, redirectUrl, browser, ...more }: Asked,
): Promise<string> {
  const fault = consentFault(service, kind)
  if (fault !== null) throw invalidRequest([{ path: '/connector_type', message: fault }])
  const method = consentMethod(kind)!
  const begun: Begun = {
    clientId: service.settings.applications[kind.kind]!.clientId,
    redirectUri: callbackUrl(service),
    verifier: newVerifier(method.consent),
    ...more,
  }
  const state = newState(browser)
  const stateHash = hashOfState(state, browser)
  const now = service.now()
  await service.store.consents.begin(
    tenant,
    {
      stateHash,
      externalUserId,
      connectorType: kind.kind,
      redirectUrl,
      sealed: service.sealer.seal(JSON.stringify(begun), consentRow(tenant.organizationId, stateHash)),
      expiresAt: new Date(now + consentMs).toISOString(),
    },
    new Date(now).toISOString(),
  )
  return consentAddress(kind, method, service.settings.baseUrls[kind.kind], { ...begun, state })
}

/**
 * Why end users cannot consent to a kind here, as the end of a sentence about the connector type; null if they can.
 */
export function consentFault({ settings }: Service, connector: Connector): string | null {
  const { kind, title } = connector
  if (consentMethod(connector) === null) return `is ${kind}, which has no consent page`
  if (settings.applications[kind] !== undefined) return null
  const name = `CONEX_${kind.toUpperCase().replaceAll('-', '_')}_OAUTH_CLIENT`
  return `needs an application that is registered with ${title}: the operator must set ${name}_ID and ${name}_SECRET; until then, send credentials`
}

/** The connector. An end user or kind in the request must be its own. */
async function connectorToRenew(
  service: Service,
  tenant: Tenant,
  id: string,
  asked: Static<typeof consentInitiation>,
): Promise<StoredConnector> {
  const endUser = endUserOf(asked) ?? tenant.externalUserId
  const found = isId(id)
    ? await service.store.connectors.find({ ...tenant, externalUserId: endUser }, id.toLowerCase())
    : null
  const kind = kindOf(service.catalog, asked)?.kind
  if (found === null || (kind !== undefined && kind !== found.connectorType)) throw noSuchConnector()
  return found
}

/** The row to which the sealed consent is bound. */
export const consentRow = (organizationId: string, stateHash: string) => ({
  organizationId,
  connectorId: `consent ${stateHash}`,
})

const callbackUrl = ({ settings }: Service): string =>
  `${settings.publicUrl()}/v1/integrations/connectors/oauth/callback`
