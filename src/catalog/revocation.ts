/** How a system revokes a grant that a connector no longer needs (RFC 7009, and deviations from it). */
import type { SystemAddress } from './system-address.ts'

export interface Revocation {
  /** The address for the POST request. */
  readonly address: SystemAddress
  /** The credential field whose token is revoked. */
  readonly token: string
  /** Where to send the token: in the form field `token`, or as the bearer token of the request. */
  readonly tokenIn: 'form' | 'bearer'
  /** Whether the application must identify itself, in the form. */
  readonly application: boolean
  /** Codes in the answer's field `error` that mean that the grant was already revoked. */
  readonly gone?: readonly string[]
}
