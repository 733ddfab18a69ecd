/** How a system takes back a grant that a connector no longer needs (RFC 7009, with what systems do otherwise). */
import type { SystemAddress } from './system-address.ts'

export interface Revocation {
  /** The address that is POSTed to. */
  readonly address: SystemAddress
  /** The credential field whose token is revoked. */
  readonly token: string
  /** Where the token travels: in the form field `token`, or as the bearer token of the request. */
  readonly tokenIn: 'form' | 'bearer'
  /** Whether the application has to identify itself, in the form. */
  readonly application: boolean
  /** Codes of refusals that mean that the grant was gone already, in the field `error` of the answer. */
  readonly gone?: readonly string[]
}
