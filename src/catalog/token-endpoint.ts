/** A system's token endpoint (RFC 6749, section 3.2), and its deviations from the standard. */
import type { AnswerPath } from './paging.ts'
import type { SystemAddress } from './system-address.ts'

export interface TokenEndpoint {
  readonly tokenAddress: SystemAddress
  /** How the application identifies itself: in the form body, or by HTTP Basic. */
  readonly clientAuthentication: 'body' | 'basic'
  /** Places of a grant in the answer: the first one with an access token counts. The top level by default. */
  readonly grantAt?: readonly AnswerPath[]
  readonly refusals?: TokenRefusals
}

/** The meaning of the endpoint's refusals, in addition to the codes of RFC 6749. */
export interface TokenRefusals {
  /** The places of codes in an answer, the most specific first; `error` by default. Numbers count as their digits. */
  readonly codesAt?: readonly AnswerPath[]
  /** Codes and statuses after which the same request can soon succeed. */
  readonly passing?: readonly (string | number)[]
  /** Codes that concern the application, not the grant. */
  readonly application?: readonly string[]
  /** The only codes that concern the grant, for systems with many other codes. */
  readonly grant?: readonly string[]
}
