/** How a person lets Conex in with a browser (RFC 6749, section 4.1): what is asked, where, and how the code is redeemed. */
import type { SystemAddress } from './system-address.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** Which credential fields the answer fills is told by the authorization style of the method. */
export interface Consent extends TokenEndpoint {
  /** Where the browser goes. */
  readonly consentAddress: SystemAddress
  readonly scopes: readonly string[]
  readonly scopeSeparator: ' ' | ','
  /** Parameters that are always sent along. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether the system checks a proof of who began (RFC 7636, method S256). */
  readonly pkce: boolean
  /**
   * A second exchange, of the access token for one that lasts longer; repeated before that one runs out, where a system has no
   * refresh tokens.
   */
  readonly exchange?: {
    readonly grantType: string
    /** The form field with the short-lived token. */
    readonly token: string
    /** How long the new one lasts when the answer does not say. */
    readonly seconds: number
    /** How long before its end it is exchanged again. */
    readonly aheadSeconds: number
  }
}
