/**
 * How a person grants access in a browser (RFC 6749, section 4.1): the address and scopes, and how the code is
 * redeemed.
 */
import type { SystemAddress } from './system-address.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The method's authorization style says which credential fields the answer fills. */
export interface Consent extends TokenEndpoint {
  /** The address of the consent page. */
  readonly consentAddress: SystemAddress
  readonly scopes: readonly string[]
  readonly scopeSeparator: ' ' | ','
  /** Parameters to send always. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether the system supports PKCE (RFC 7636, method S256). */
  readonly pkce: boolean
  /**
   * A second exchange, of the access token for one that lasts longer. Systems without refresh tokens repeat it before
   * that one expires.
   */
  readonly exchange?: {
    readonly grantType: string
    /** The form field with the short-lived token. */
    readonly token: string
    /** How long the new token lasts, if the answer does not say. */
    readonly seconds: number
    /** How long before its end to exchange it again. */
    readonly aheadSeconds: number
  }
}
