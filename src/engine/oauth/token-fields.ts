/** What becomes of the fields of a token answer: the credential fields of the method's style, and when the token runs out. */
import type { AuthorizationStyle, Credentials } from '../../catalog/authorization.ts'
import { plainNumber } from '../../catalog/plain-value.ts'

/** The fields of an answer that hold a grant; its access token is text that can be sent. */
export type Grant = Readonly<Record<string, unknown>> & { readonly access_token: string }

/** The credential field in which the moment of expiry is kept, as milliseconds since 1970 in text. */
export const expiryField = 'expires_at'

/** `seconds` is how long the token lasts when the answer does not say. */
export function tokenFields(
  style: AuthorizationStyle,
  grant: Grant,
  now: number,
  seconds?: number,
): Record<string, string> {
  const fields: Record<string, string> = {}
  if (style.style === 'bearer') fields[style.token] = grant.access_token
  if (style.style === 'refreshable') {
    fields[style.accessToken] = grant.access_token
    // An answer without a refresh token, or with an empty one, means that the old one stays good.
    if (typeof grant.refresh_token === 'string' && grant.refresh_token !== '')
      fields[style.refreshToken] = grant.refresh_token
    const address = style.customerAddress === undefined ? undefined : grant[style.customerAddress]
    if (typeof address === 'string' && address !== '') fields[style.customerAddress!] = address
  }
  const told = plainNumber(grant.expires_in)
  const lasts = Number.isFinite(told) && told > 0 ? told : seconds
  if (lasts !== undefined) fields[expiryField] = String(now + lasts * 1000)
  return fields
}

/** Credentials without what the platform itself noted beside them. */
export function withoutExpiry(credentials: Credentials): Credentials {
  if (!Object.hasOwn(credentials, expiryField)) return credentials
  const { [expiryField]: _, ...given } = credentials
  return given
}
