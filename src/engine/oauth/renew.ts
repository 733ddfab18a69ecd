/** Renews worn-out credentials at a system's token endpoint: with a refresh token (RFC 6749, section 6), or with the token that still works. */
import {
  type AuthMethod,
  applicationFields,
  type Credentials,
  type RefreshableStyle,
} from '../../catalog/authorization.ts'
import { ConexError } from '../../errors.ts'
import type { PlatformApplication } from '../settings.ts'
import { authMethodOf } from './authorize.ts'
import { applicationRefused, askToken, type TokenContext, TokenRefused } from './token-endpoint.ts'
import { expiryField, tokenFields, withoutExpiry } from './token-fields.ts'

/** Renewing this long before a token runs out keeps it from doing so on its way to the system, in milliseconds. */
export const renewAhead = 120_000

/** New credentials, whole; or null when this kind of credentials cannot be renewed. */
export async function renewCredentials(context: TokenContext, credentials: Credentials): Promise<Credentials | null> {
  const given = withoutExpiry(credentials)
  const method = authMethodOf(context.connector, given)
  const { authorization: style } = method
  if (style.style !== 'refreshable') return exchangeToken(context, method, credentials)
  const refreshToken = credentials[style.refreshToken]
  if (!refreshToken) return null
  const application = applicationOf(style, credentials, context)
  try {
    const grant = await askToken(context, {
      endpoint: style,
      application,
      form: { grant_type: 'refresh_token', refresh_token: refreshToken },
      secrets: given,
      purpose: 'renew the access token',
    })
    const fields = tokenFields(style, grant, context.settings.clock.now())
    // What the grant was redeemed with is what it was made with; kept beside it, so that no other application is ever tried.
    return { ...given, ...fields, [style.clientId]: application.clientId }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // Only the operator can mend the platform's application; new credentials would not help.
    if (error.about === 'application' && ownApplication(style, credentials) === null)
      throw applicationRefused(context.connector, error)
    throw new ConexError(
      'reauthorization_required',
      `${context.connector.title} refuses to renew the access token of this connector; give it new credentials or have its user consent again.`,
      { upstream: error.upstream },
    )
  }
}

/** Exchanges a token that still works for a newer one, where a system has that in place of refresh tokens; null when there is nothing to exchange. */
async function exchangeToken(
  context: TokenContext,
  method: AuthMethod,
  credentials: Credentials,
): Promise<Credentials | null> {
  const { connector, settings } = context
  const { authorization: style, consent } = method
  const exchange = consent?.exchange
  const [id = '', secret = ''] = applicationFields(method) ?? []
  const [clientId, clientSecret] = [credentials[id], credentials[secret]]
  const platform = settings.platformApplications[connector.kind]
  const known = platform?.clientId === clientId ? platform : undefined
  const application = clientId && clientSecret ? { clientId, clientSecret } : clientId ? known : undefined
  // An expired token cannot be exchanged any more.
  const alive = Number(credentials[expiryField]) > settings.clock.now()
  if (
    style.style !== 'bearer' ||
    consent === undefined ||
    exchange === undefined ||
    application === undefined ||
    !alive
  )
    return null
  try {
    const grant = await askToken(context, {
      endpoint: consent,
      application,
      form: { grant_type: exchange.grantType, [exchange.token]: credentials[style.token]! },
      secrets: credentials,
      purpose: 'exchange the access token',
    })
    return { ...credentials, ...tokenFields(style, grant, settings.clock.now(), exchange.seconds) }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // The token at hand is good as long as it lasts, so that this says nothing of the connector yet.
    throw new ConexError('upstream_error', `${connector.title} does not exchange the access token for a newer one.`, {
      upstream: error.upstream,
    })
  }
}

function ownApplication(style: RefreshableStyle, credentials: Credentials): PlatformApplication | null {
  const clientId = credentials[style.clientId]
  const clientSecret = credentials[style.clientSecret]
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

/**
 * The application that a grant is redeemed with, which is the one it was made for: the connector's own, or the platform's, whose
 * id is kept beside the grants of consents.
 */
export function applicationOf(
  style: RefreshableStyle,
  credentials: Credentials,
  { connector, settings }: Pick<TokenContext, 'connector' | 'settings'>,
): PlatformApplication {
  const own = ownApplication(style, credentials)
  if (own !== null) return own
  const application = settings.platformApplications[connector.kind]
  if (application === undefined)
    throw new ConexError(
      'reauthorization_required',
      `The access token must be renewed, but neither the connector nor the platform has a client id and secret for ${connector.title}; give them with the credentials.`,
    )
  const madeWith = credentials[style.clientId]
  if (madeWith && madeWith !== application.clientId)
    throw new ConexError(
      'reauthorization_required',
      `The access token must be renewed, but the grant was made with another application for ${connector.title} than the platform has now; have its user consent again.`,
    )
  return application
}
