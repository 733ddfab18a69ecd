/**
 * Sessions of the page on which an end user connects systems. The program’s own server makes one; its token opens the
 * page once, and from then on the page holds a key.
 */
import Type, { type Static } from 'typebox'
import type { AuthMethod } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { arrayOf, object, oneOf, optional, text } from '../catalog/fields.ts'
import { type Language, languages } from '../catalog/languages.ts'
import { consentMethod } from '../engine/oauth/consent.ts'
import type { ConnectSession as StoredSession } from '../store/connect-sessions.ts'
import type { Tenant } from '../store/tenant.ts'
import type { ConnectorRecord, ConnectSession } from '../wire.ts'
import { endUserFields, endUserOf, kindOf, nameText } from './aliases.ts'
import { consentFault } from './begin-consent.ts'
import { type ConnectTheme, checkContrast, connectTheme } from './connect-theme.ts'
import { checkReplicationConfig } from './create-connector.ts'
import { getConnector } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { hashOf, newSecret } from './one-time-secret.ts'
import { isLoopback } from './redirect-url.ts'
import type { Service } from './service.ts'

const kindName = text('A connector type.', { minLength: 1, maxLength: 100 })

export const connectSession = Type.Object(
  {
    ...endUserFields,
    external_user_name: optional(nameText('How the page calls the end user; by default, by the id.')),
    origin: Type.String({
      description: 'The origin of the only page that may open or embed the page: https, or http on localhost.',
      minLength: 1,
      maxLength: 300,
      'x-form': 'an origin, as https://app.example',
    }),
    connector_types: optional({
      ...arrayOf(kindName, 'The systems to offer; by default, all that can be connected.'),
      minItems: 1,
      maxItems: 100,
    }),
    replication_configs: optional(object('By connector type, the replication_config of new connectors that need one.')),
    connector_id: optional(
      text('The connector to connect again; the page offers nothing else.', { minLength: 1, maxLength: 64 }),
    ),
    language: optional(oneOf(languages, 'The language of the page; by default, that of the browser.')),
    theme: optional(connectTheme),
  },
  { additionalProperties: false },
)

/** What a session keeps beside its owner. */
export interface ConnectSettings {
  readonly userName: string
  /** The connector types to offer. */
  readonly kinds: readonly string[]
  readonly replicationConfigs: Readonly<Record<string, unknown>>
  readonly connectorId?: string
  readonly language?: Language
  readonly theme: ConnectTheme
  /** Where the browser goes in the end, if the page has no window of its own. */
  readonly returnUrl?: string
}

/** A session with what it keeps. */
export type OpenSession = StoredSession & { readonly kept: ConnectSettings }

const tokenSeconds = 10 * 60
const pageSeconds = 30 * 60

export async function createConnectSession(service: Service, tenant: Tenant, body: unknown): Promise<ConnectSession> {
  const asked = decode(connectSession, body)
  const given = endUserOf(asked)
  const renewed = asked.connector_id === undefined ? null : await getConnector(service, tenant, asked.connector_id)
  if (renewed !== null && given !== undefined && renewed.external_user_id !== given)
    throw invalidRequest([{ path: '/connector_id', message: 'is not a connector of this end user' }])
  const externalUserId = given ?? renewed?.external_user_id
  if (externalUserId === undefined) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
  if (renewed !== null && asked.connector_types !== undefined)
    throw invalidRequest([{ path: '/connector_types', message: 'cannot be sent with connector_id, which has its own' }])
  const origin = readOrigin(asked.origin)
  if (asked.theme !== undefined) checkContrast(asked.theme)
  const replicationConfigs = readConfigs(service, asked.replication_configs ?? {})
  const settings: ConnectSettings = {
    userName: asked.external_user_name ?? externalUserId,
    kinds: renewed === null ? kindsToOffer(service, asked, replicationConfigs) : [renewable(service, renewed)],
    replicationConfigs,
    ...(renewed !== null && { connectorId: renewed.id }),
    ...(asked.language !== undefined && { language: asked.language }),
    theme: asked.theme ?? {},
  }
  const publicUrl = service.settings.publicUrl()
  // conex/connect learns from the token where the page is.
  const token = `${newSecret()}.${Buffer.from(publicUrl).toString('base64url')}`
  const now = service.now()
  await service.store.connectSessions.add(
    tenant,
    {
      tokenHash: hashOf(token),
      externalUserId,
      origin,
      settings: JSON.stringify(settings),
      expiresAt: new Date(now + tokenSeconds * 1000).toISOString(),
    },
    new Date(now).toISOString(),
  )
  return { session_token: token, url: `${publicUrl}/connect?session=${token}`, expires_in: tokenSeconds }
}

/** The origin as browsers write it. */
function readOrigin(given: string): string {
  const url = URL.parse(given)
  const fault = (message: string) => invalidRequest([{ path: '/origin', message }])
  // A policy would take a star for any name, and a semicolon for its next rule.
  if (
    url === null ||
    ![url.origin, `${url.origin}/`].includes(given) ||
    !/^https?:\/\/[a-z0-9.[\]:-]+$/.test(url.origin)
  )
    throw fault('must be an origin alone, as https://app.example: without a path, and in lower case')
  // Browsers know no IPv6 address in a policy.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname) && url.hostname !== '[::1]'))
    throw fault('must be https, or http on localhost or 127.0.0.1')
  return url.origin
}

function readConfigs(
  service: Service,
  configs: Readonly<Record<string, unknown>>,
): ConnectSettings['replicationConfigs'] {
  for (const [name, config] of Object.entries(configs)) {
    const kind = Object.hasOwn(service.catalog, name) ? service.catalog[name] : undefined
    if (kind === undefined)
      throw invalidRequest([{ path: `/replication_configs/${name}`, message: 'is not a known connector type' }])
    checkReplicationConfig(kind, config)
  }
  return configs
}

function kindsToOffer(
  service: Service,
  { connector_types }: Static<typeof connectSession>,
  configs: ConnectSettings['replicationConfigs'],
): readonly string[] {
  if (connector_types === undefined)
    return Object.values(service.catalog)
      .filter((kind) => unavailable(service, kind, configs) === null)
      .map(({ kind }) => kind)
  return connector_types.map((name, index) => {
    const kind = kindOf(service.catalog, { connector_type: name })!
    const message = unavailable(service, kind, configs)
    if (message !== null) throw invalidRequest([{ path: `/connector_types/${index}`, message }])
    return kind.kind
  })
}

/** The kind of a connector that the page can connect again. */
function renewable(service: Service, { connector_type: connectorType }: ConnectorRecord): string {
  const kind = kindOfConnector(service, { connectorType })
  if (methodsOf(service, kind).length > 0) return connectorType
  throw invalidRequest([{ path: '/connector_id', message: consentFault(service, kind)! }])
}

/** Why the page cannot offer a kind, as the end of a sentence about it; null if it can. */
function unavailable(service: Service, kind: Connector, configs: ConnectSettings['replicationConfigs']): string | null {
  if (kind.replicationConfig !== null && !Object.hasOwn(configs, kind.kind))
    return `needs settings of its copy; send them as replication_configs.${kind.kind}`
  return methodsOf(service, kind).length > 0 ? null : consentFault(service, kind)
}

/** The ways in which an end user can connect a kind here: a consent if the operator has an application, and what people can type. */
export const methodsOf = (service: Service, kind: Connector): readonly AuthMethod[] =>
  kind.authMethods.filter((method) =>
    method.consent === undefined ? true : consentMethod(kind) === method && consentFault(service, kind) === null,
  )

/** Why a page cannot be opened. */
export type NotOpened = 'unknown' | 'used' | 'expired'

/** What the browser asks for when it opens the page. */
export interface Opening {
  /** Offers no others. */
  readonly kinds?: readonly string[] | undefined
  readonly returnUrl?: string | undefined
}

/** Opens a session once, and returns the key that the page holds from then on. */
export async function openConnectSession(
  service: Service,
  token: string,
  opening: Opening,
): Promise<
  { readonly session: OpenSession; readonly key: string } | { readonly fault: NotOpened; readonly origin?: string }
> {
  const { connectSessions } = service.store
  const stored = await connectSessions.findByToken(hashOf(token))
  if (stored === null) return { fault: 'unknown' }
  const { origin } = stored
  const now = service.now()
  if (stored.keyHash !== null) return { fault: 'used', origin }
  if (stored.expiresAt <= new Date(now).toISOString()) return { fault: 'expired', origin }
  const kept = narrowed(JSON.parse(stored.settings) as ConnectSettings, origin, opening)
  const key = newSecret()
  const opened = {
    keyHash: hashOf(key),
    settings: JSON.stringify(kept),
    expiresAt: new Date(now + pageSeconds * 1000).toISOString(),
  }
  if (!(await connectSessions.open(stored, opened, new Date(now).toISOString()))) return { fault: 'used', origin }
  return { session: { ...stored, ...opened, kept }, key }
}

function narrowed(kept: ConnectSettings, origin: string, { kinds, returnUrl }: Opening): ConnectSettings {
  if (returnUrl !== undefined && URL.parse(returnUrl)?.origin !== origin)
    throw invalidRequest([{ path: '/return_url', message: 'must be a page of the origin of the session' }])
  const offered = kinds === undefined ? kept.kinds : kept.kinds.filter((kind) => kinds.includes(kind))
  if (offered.length === 0)
    throw invalidRequest([{ path: '/kinds', message: `has none that the session allows: ${kept.kinds.join(', ')}` }])
  return { ...kept, kinds: offered, ...(returnUrl !== undefined && { returnUrl }) }
}

/** The session of a page that is open. */
export async function sessionOfKey(
  service: Service,
  key: string,
): Promise<OpenSession | { readonly fault: NotOpened }> {
  const stored = await service.store.connectSessions.findByKey(hashOf(key))
  if (stored === null) return { fault: 'unknown' }
  if (stored.expiresAt <= new Date(service.now()).toISOString()) return { fault: 'expired' }
  return { ...stored, kept: JSON.parse(stored.settings) as ConnectSettings }
}

/** Whose connectors the page shows: those of its own end user. */
export const tenantOf = ({
  organizationId,
  externalUserId,
  createdBy,
}: OpenSession): Tenant & { externalUserId: string } => ({
  organizationId,
  externalUserId,
  ...(createdBy !== null && { clientId: createdBy }),
})
