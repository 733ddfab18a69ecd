/** Renews worn-out credentials at a system's token endpoint: with a refresh token (RFC 6749, section 6), or with the token that still works. */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import { ConexError, type ErrorDetails } from '../../errors.ts'
import type { PlatformApplication } from '../settings.ts'
import { applicationIn, authMethodOf, expiryField } from './authorize.ts'
import { applicationRefused, askToken, type TokenContext } from './token-endpoint.ts'

/** Renewing this long before a token runs out keeps it from doing so on its way to the system, in milliseconds. */
export const renewAhead = 120_000

/** New credentials, whole; or null when this kind of credentials cannot be renewed. */
export async function renewCredentials(context: TokenContext, credentials: Credentials): Promise<Credentials | null> {
  const { connector, settings } = context
  const method = authMethodOf(connector, credentials)
  const { authorization: style } = method
  if (style.style !== 'refreshable') return exchangeToken(context, method, credentials)
  const { [expiryField]: _, ...given } = credentials
  if (!given.refresh_token) return null
  const application = applicationOf(context, credentials)
  const fresh = await askToken(context, method, {
    endpoint: style,
    application,
    form: { grant_type: 'refresh_token', refresh_token: given.refresh_token },
    secrets: given,
    purpose: 'renew the access token',
    refused: (about, upstream) =>
      // Only the operator can mend the platform's application; new credentials would not help.
      about === 'application' && application === settings.platformApplications[connector.kind]
        ? applicationRefused(connector, upstream)
        : renewalRefused(connector, { upstream }),
  })
  return { ...given, ...fresh }
}

/** The error for a grant that the system does not renew. */
export const renewalRefused = ({ title }: Connector, details: ErrorDetails = {}): ConexError =>
  new ConexError(
    'reauthorization_required',
    `${title} refuses to renew the access token of this connector; send new credentials, or let its user consent again.`,
    details,
  )

/** Exchanges a token that still works for a newer one, where a system has that in place of refresh tokens; null when there is nothing to exchange. */
async function exchangeToken(
  context: TokenContext,
  method: AuthMethod,
  credentials: Credentials,
): Promise<Credentials | null> {
  const { connector, settings } = context
  const { authorization: style, consent } = method
  const application = applicationIn(credentials, settings.platformApplications[connector.kind])
  // An expired token cannot be exchanged any more.
  const isAlive = Number(credentials[expiryField]) > settings.clock.now()
  if (style.style !== 'bearer' || consent?.exchange === undefined || application === null || !isAlive) return null
  const { grantType, token } = consent.exchange
  const fresh = await askToken(context, method, {
    endpoint: consent,
    application,
    form: { grant_type: grantType, [token]: credentials[style.token]! },
    secrets: credentials,
    purpose: 'exchange the access token',
    // The token at hand is good as long as it lasts, so that this says nothing of the connector yet.
    refused: (_, upstream) =>
      new ConexError('upstream_error', `${connector.title} does not exchange the access token for a newer one.`, {
        upstream,
      }),
  })
  return { ...credentials, ...fresh }
}

/**
 * The application that a grant is redeemed with, which is the one it was made for: the connector's own, or the platform's, whose
 * id is kept beside the grants of consents.
 */
export function applicationOf(
  { connector, settings }: Pick<TokenContext, 'connector' | 'settings'>,
  credentials: Credentials,
): PlatformApplication {
  const platform = settings.platformApplications[connector.kind]
  const application = applicationIn(credentials, platform) ?? (credentials.client_id ? undefined : platform)
  if (application !== undefined) return application
  throw new ConexError(
    'reauthorization_required',
    platform === undefined
      ? `The access token must be renewed, but neither the connector nor the platform has a client id and secret for ${connector.title}; send them with the credentials.`
      : `The access token must be renewed, but the grant belongs to another application for ${connector.title} than the platform's present one; let its user consent again.`,
  )
}
