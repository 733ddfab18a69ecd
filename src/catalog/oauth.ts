/** OAuth 2.0 grants, with the field names that all kinds share. */
import { authMethod, type RefreshableStyle } from './authorization.ts'
import type { Consent } from './consent.ts'
import { optional, secret, text } from './fields.ts'
import type { Revocation } from './revocation.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The application that a grant belongs to: credential fields beside its tokens. */
export const applicationOf = (words: { id: string; secret: string }) =>
  ({
    client_id: optional(text(words.id, { minLength: 1 })),
    client_secret: optional(secret(words.secret)),
  }) as const

/** The credential fields of a grant that callers give as a refresh token. */
const grantFields = (refreshToken: string) =>
  ({
    refresh_token: secret(refreshToken),
    access_token: optional(secret('An access token. If it is missing or expired, Conex gets a new one.')),
    ...applicationOf({
      id: 'The application that the grant belongs to; by default the platform’s.',
      secret: 'The secret of that application.',
    }),
  }) as const

/** Renews a grant at the system's token endpoint. */
export const renewedAt = (endpoint: TokenEndpoint): RefreshableStyle => ({ style: 'refreshable', ...endpoint })

/** A grant from a refresh token or a consent; either way, one endpoint issues its tokens. */
export const grantMethod = (grant: {
  /** A description of the refresh token. */
  readonly refreshToken: string
  readonly tokens: TokenEndpoint
  readonly customerAddress?: string
  readonly consent: Omit<Consent, keyof TokenEndpoint>
  readonly revocation?: Revocation
}) =>
  authMethod({
    name: 'oauth',
    title: 'OAuth 2.0',
    credentials: grantFields(grant.refreshToken),
    authorization: {
      ...renewedAt(grant.tokens),
      ...(grant.customerAddress !== undefined && { customerAddress: grant.customerAddress }),
    },
    consent: { ...grant.tokens, ...grant.consent },
    ...(grant.revocation && { revocation: grant.revocation }),
  })
