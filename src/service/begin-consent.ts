/** Begins a consent: gives the address at which an end user lets Conex into their account. */
import Type from 'typebox'
import type { Connector } from '../catalog/connector.ts'
import { consentAddress, consentMethod, newVerifier } from '../engine/consent.ts'
import type { PlatformApplication } from '../engine/settings.ts'
import type { Tenant } from '../store/store.ts'
import { endUserFields, endUserOf, kindFields, kindOf } from './aliases.ts'
import { decode, invalidRequest } from './decode.ts'
import { hashOf, newSecret } from './one-time-secret.ts'
import { readRedirectUrl } from './redirect-url.ts'
import type { Service } from './service.ts'

export const consentInitiation = Type.Object(
  {
    ...endUserFields,
    ...kindFields,
    redirect_url: Type.String({
      description:
        'Where the browser goes in the end: https, or http on a loopback host; secret_id is added to its query.',
      minLength: 1,
      maxLength: 2048,
      'x-form': 'an address of 1 to 2048 characters',
    }),
  },
  { additionalProperties: false },
)

/** How long a person may take. */
const consentMs = 10 * 60_000

/** What a consent is begun with and its code is redeemed with. */
export interface Begun {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string | null
}

export async function beginConsent(
  service: Service,
  tenant: Tenant,
  body: unknown,
): Promise<{ readonly consent_url: string }> {
  const asked = decode(consentInitiation, body)
  const externalUserId = endUserOf(asked)
  if (externalUserId === undefined) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
  const kind = kindOf(service.catalog, asked)
  if (kind === undefined) throw invalidRequest([{ path: '/connector_type', message: 'is required' }])
  const redirectUrl = readRedirectUrl(asked.redirect_url, await service.store.organizations.redirectUrls(tenant))
  const method = consentMethod(kind)
  if (method === null)
    throw invalidRequest([{ path: '/connector_type', message: `is ${kind.kind}, which has no consent page` }])

  const { clientId } = applicationOf(service, kind)
  const begun: Begun = { clientId, redirectUri: callbackUrl(service), verifier: newVerifier(method.consent) }
  const state = newSecret()
  const stateHash = hashOf(state)
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
  return { consent_url: consentAddress(kind, method, service.settings.baseUrls[kind.kind], { ...begun, state }) }
}

/** The row that a consent is sealed for. */
export const consentRow = (organizationId: string, stateHash: string) => ({
  organizationId,
  connectorId: `consent ${stateHash}`,
})

function applicationOf({ settings }: Service, { kind, title }: Connector): PlatformApplication {
  const application = settings.applications[kind]
  if (application !== undefined) return application
  const name = `CONEX_${kind.toUpperCase().replaceAll('-', '_')}_OAUTH_CLIENT`
  throw invalidRequest([
    {
      path: '/connector_type',
      message: `needs an application registered with ${title}, which this platform has not: its operator sets ${name}_ID and ${name}_SECRET; until then give credentials`,
    },
  ])
}

const callbackUrl = ({ settings }: Service): string =>
  `${settings.publicUrl()}/v1/integrations/connectors/oauth/callback`
