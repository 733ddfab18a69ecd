/** Finishes a consent: redeems the browser's code, stores the grant, and says where the browser goes next. */
import Type from 'typebox'
import type { Credentials } from '../catalog/authorization.ts'
import { decode } from '../catalog/decode.ts'
import { optional } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import type { Consent } from '../store/consents.ts'
import type { Tenant } from '../store/tenant.ts'
import { type Begun, consentRow } from './begin-consent.ts'
import { hashOfState } from './consent-state.ts'
import { createConnector } from './create-connector.ts'
import { grantRow } from './given-credentials.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { hashOf, newSecret } from './one-time-secret.ts'
import { withQuery } from './redirect-url.ts'
import type { Service } from './service.ts'
import { updateConnector } from './update-connector.ts'

const brought = (description: string) =>
  optional(
    Type.String({ description, minLength: 1, maxLength: 4096, 'x-form': 'a text of 1 to 4096 characters, given once' }),
  )

/** Systems may add parameters of their own. */
export const consentReturn = Type.Object({
  state: Type.String({
    description: 'The state of the consent.',
    minLength: 1,
    maxLength: 200,
    'x-form': 'the state of a consent, given once',
  }),
  code: brought('The system’s code after a consent.'),
  error: brought('The system’s word for a refusal.'),
  error_description: brought('The refusal in a sentence.'),
})

/** The time that the program may take to create a connector from the grant. */
const secretMs = 60 * 60_000

/** The address to send this browser to. Without a valid state it is unknown, which is an error. */
export async function finishConsent(service: Service, query: unknown, browser: string | undefined): Promise<string> {
  const { state, code, error, error_description: words } = decode(consentReturn, query)
  const consent = await service.store.consents.take(hashOfState(state, browser), timeOf(service))
  if (consent === null)
    throw new ConexError(
      'not_found',
      'There is no consent with this state: it is unknown, used, begun in another browser, or older than ten minutes; go back to where you came from and start again.',
    )
  const back = (more: Readonly<Record<string, string>>): string => withQuery(consent.redirectUrl, more)
  // The text came through the browser, so anybody may have written it.
  if (error !== undefined) {
    await failed('denied')
    return back({ error: plain(error, 100), ...(words !== undefined && { error_description: plain(words, 500) }) })
  }
  if (code === undefined) {
    await failed('invalid_request')
    return back({ error: 'invalid_request', error_description: 'The system sent the browser back without a code.' })
  }
  try {
    const secret = newSecret()
    const begun = begunOf(service, consent)
    await checkReplaced(service, consent, begun)
    await keep(service, consent, secret, await redeem(service, consent, begun, code))
    const connectorId = await useAtOnce(service, consent, begun, secret)
    // The page of a link looks at the connector itself.
    if (begun.replaces !== undefined) return consent.redirectUrl
    return back({
      secret_id: secret,
      server_side_oauth_secret_id: secret,
      ...(connectorId !== undefined && { connector_id: connectorId }),
    })
  } catch (failure) {
    if (!(failure instanceof ConexError)) throw failure
    const { code, message, upstream } = failure
    service.log.warn(
      { connector_type: consent.connectorType, organization_id: consent.organizationId, code, upstream },
      'a consent could not be redeemed',
    )
    await failed(code)
    return back({ error: code, error_description: message })
  }

  async function failed(reason: string): Promise<void> {
    const tenant = { organizationId: consent!.organizationId, externalUserId: null }
    // A failure that cannot be noted does not keep the browser from returning.
    await service.store.consents
      .fail(tenant, consent!, reason, timeOf(service))
      .catch((error: unknown) => service.log.error({ reason: String(error) }, 'a failed consent could not be noted'))
  }
}

type Taken = Consent & { readonly organizationId: string }

/** Refuses the consent of a link if the credentials that it was made for have been replaced since. */
async function checkReplaced(
  service: Service,
  { organizationId, externalUserId }: Taken,
  { connectorId, replaces }: Begun,
): Promise<void> {
  if (connectorId === undefined || replaces === undefined) return
  const found = await service.store.connectors.findWithCredentials({ organizationId, externalUserId }, connectorId)
  if (found === null) throw noSuchConnector()
  if (found.credentials.version !== replaces)
    throw new ConexError('conflict', 'The login of this connector was already renewed; this consent changed nothing.')
}

function begunOf(service: Service, consent: Taken): Begun {
  const row = consentRow(consent.organizationId, consent.stateHash)
  return JSON.parse(service.sealer.open(consent.sealed, row)) as Begun
}

async function redeem(service: Service, consent: Taken, begun: Begun, code: string): Promise<Credentials> {
  const kind = service.catalog[consent.connectorType]
  const application = service.settings.applications[consent.connectorType]
  const { clientId, redirectUri, verifier } = begun
  if (kind === undefined)
    throw new ConexError(
      'connector_unavailable',
      'The server does not load this connector type at present; try again later.',
    )
  if (application?.clientId !== clientId)
    throw new ConexError(
      'invalid_request',
      'This consent was given to an application that the platform no longer uses; let the end user consent again.',
    )
  const baseUrl = service.settings.baseUrls[kind.kind]
  return service.engine.redeemCode(kind, baseUrl, { code, redirectUri, verifier, application })
}

async function keep(service: Service, consent: Taken, secret: string, credentials: Credentials): Promise<void> {
  const { organizationId, externalUserId, connectorType } = consent
  const secretHash = hashOf(secret)
  const row = grantRow(organizationId, secretHash)
  const grant = {
    secretHash,
    externalUserId,
    connectorType,
    sealed: service.sealer.seal(JSON.stringify(credentials), row),
    expiresAt: new Date(service.now() + secretMs).toISOString(),
  }
  // The code works once. The browser continues while a slow store still writes the grant.
  await service.unsaved.save(row.connectorId, grant.sealed, async () => {
    const now = timeOf(service)
    if (now < grant.expiresAt)
      await service.store.consents.keepGrant({ organizationId, externalUserId: null }, grant, now)
  })
}

/** Renews or creates the connector of the consent, and returns its id; undefined if the consent names none. */
async function useAtOnce(
  service: Service,
  { organizationId, externalUserId, connectorType }: Taken,
  { connectorId, creation, begunBy }: Begun,
  secret: string,
): Promise<string | undefined> {
  const tenant: Tenant = { organizationId, externalUserId, ...(begunBy !== undefined && { clientId: begunBy }) }
  const given = { server_side_oauth_secret_id: secret }
  const renew = async (id: string) => (await updateConnector(service, tenant, id, given)).id
  if (connectorId !== undefined) return renew(connectorId)
  if (creation === undefined) return undefined
  try {
    return (await createConnector(service, tenant, { ...creation, ...given, connector_type: connectorType })).id
  } catch (error) {
    if (error instanceof ConexError && error.existingId !== undefined) return renew(error.existingId)
    throw error
  }
}

const timeOf = (service: Service): string => new Date(service.now()).toISOString()

/** Printable ASCII, as RFC 6749, 4.1.2.1 requires, up to a length. */
const plain = (text: string, longest: number): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, longest)
