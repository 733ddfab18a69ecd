/** Exchanges a token that still works for a newer one, where a system has that in place of refresh tokens. */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import { applicationFields } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { ConexError } from '../../errors.ts'
import type { Transport } from '../http/transport.ts'
import type { EngineSettings, PlatformApplication } from '../settings.ts'
import { askToken, TokenRefused } from './token-endpoint.ts'
import { expiryField, grantedFields } from './token-fields.ts'

/** New credentials, whole; or null when there is nothing to exchange: no such exchange, no application, no time left. */
export async function exchangeToken(
  transport: Transport,
  settings: EngineSettings,
  connector: Connector,
  baseUrl: string | undefined,
  method: AuthMethod,
  credentials: Credentials,
): Promise<Credentials | null> {
  const { authorization: style, consent } = method
  const exchange = consent?.exchange
  const application = applicationOf(method, credentials, settings.platformApplications[connector.kind])
  // An expired token cannot be exchanged any more.
  const alive = Number(credentials[expiryField]) > settings.clock.now()
  if (style.style !== 'bearer' || consent === undefined || exchange === undefined || application === null || !alive)
    return null
  try {
    const grant = await askToken(transport, settings, {
      connector,
      baseUrl,
      endpoint: consent,
      application,
      form: { grant_type: exchange.grantType, [exchange.token]: credentials[style.token]! },
      secrets: credentials,
      purpose: 'exchange the access token',
    })
    return { ...credentials, ...grantedFields(style, grant, settings.clock.now(), exchange.seconds) }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // The token at hand is good as long as it lasts, so that this says nothing of the connector yet.
    throw new ConexError('upstream_error', `${connector.title} does not exchange the access token for a newer one.`, {
      upstream: error.upstream,
    })
  }
}

/** The application that the token was made for, whole; null when it is not known. */
function applicationOf(
  method: AuthMethod,
  credentials: Credentials,
  platform: PlatformApplication | undefined,
): PlatformApplication | null {
  const [id, secret] = applicationFields(method) ?? []
  const clientId = id && credentials[id]
  const clientSecret = secret && credentials[secret]
  if (!clientId) return null
  if (clientSecret) return { clientId, clientSecret }
  return platform?.clientId === clientId ? platform : null
}
