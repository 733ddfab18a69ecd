/** Renews worn-out credentials at a system's token endpoint (RFC 6749, section 6). */
import type { Credentials, RefreshableStyle } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { ConexError } from '../../errors.ts'
import type { Transport } from '../http/transport.ts'
import type { EngineSettings, PlatformApplication } from '../settings.ts'
import { authMethodOf } from './authorize.ts'
import { exchangeToken } from './exchange.ts'
import { askToken, TokenRefused } from './token-endpoint.ts'
import { grantedFields, withoutExpiry } from './token-fields.ts'

/** Renewing this long before a token runs out keeps it from doing so on its way to the system, in milliseconds. */
export const renewAhead = 120_000

/** New credentials, whole; or null when this kind of credentials cannot be renewed. */
export async function renewCredentials(
  transport: Transport,
  settings: EngineSettings,
  connector: Connector,
  baseUrl: string | undefined,
  credentials: Credentials,
): Promise<Credentials | null> {
  const given = withoutExpiry(credentials)
  const method = authMethodOf(connector, given)
  const style = method.authorization
  if (style.style !== 'refreshable') return exchangeToken(transport, settings, connector, baseUrl, method, credentials)
  if (!credentials[style.refreshToken]) return null
  const own = ownApplication(style, credentials)
  const application = applicationOf(style, credentials, connector, settings)
  try {
    const grant = await askToken(transport, settings, {
      connector,
      baseUrl,
      endpoint: style,
      application,
      form: { grant_type: 'refresh_token', refresh_token: credentials[style.refreshToken]! },
      secrets: given,
      purpose: 'renew the access token',
    })
    // What the grant was redeemed with is what it was made with; kept beside it, so that no other application is ever tried.
    return { ...given, ...grantedFields(style, grant, settings.clock.now()), [style.clientId]: application.clientId }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // Only the operator can mend the platform's application; new credentials would not help.
    if (error.about === 'application' && own === null)
      throw new ConexError(
        'upstream_refused',
        `${connector.title} does not accept the application of this platform; its operator has to check the client id and secret set for ${connector.kind}.`,
        { upstream: error.upstream },
      )
    throw new ConexError(
      'reauthorization_required',
      `${connector.title} refuses to renew the access token of this connector; give it new credentials or have its user consent again.`,
      { upstream: error.upstream },
    )
  }
}

/** The application that a grant is redeemed with: the connector's own, or the platform's. */
export const applicationOf = (
  style: RefreshableStyle,
  credentials: Credentials,
  connector: Connector,
  settings: EngineSettings,
): PlatformApplication =>
  ownApplication(style, credentials) ?? platformApplication(style, credentials, connector, settings)

function ownApplication(style: RefreshableStyle, credentials: Credentials): PlatformApplication | null {
  const clientId = credentials[style.clientId]
  const clientSecret = credentials[style.clientSecret]
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

/** A grant is redeemed with the application it was made for; the id of the platform's is kept beside the grants of consents. */
function platformApplication(
  style: RefreshableStyle,
  credentials: Credentials,
  connector: Connector,
  settings: EngineSettings,
): PlatformApplication {
  const application = settings.platformApplications[connector.kind]
  if (application === undefined)
    throw new ConexError(
      'reauthorization_required',
      `The access token has to be renewed, but neither the connector nor the platform has a client id and secret for ${connector.title}; give them with the credentials.`,
    )
  const madeWith = credentials[style.clientId]
  if (madeWith && madeWith !== application.clientId)
    throw new ConexError(
      'reauthorization_required',
      `The access token has to be renewed, but the grant was made with another application for ${connector.title} than the platform has now; have its user consent again.`,
    )
  return application
}
