/** A system's token endpoint (RFC 6749, section 3.2), with what it does otherwise than the standard. */
import type { AnswerPath } from './paging.ts'
import type { SystemAddress } from './system-address.ts'

export interface TokenEndpoint {
  readonly tokenAddress: SystemAddress
  /** Whether the application identifies itself in the form body or by HTTP Basic. */
  readonly clientAuthentication: 'body' | 'basic'
  /** Where in the answer a grant can stand: the first place with an access token counts. The top when left out. */
  readonly grantAt?: readonly AnswerPath[]
  readonly refusals?: TokenRefusals
}

/** What the refusals of a token endpoint speak of, beside the codes of RFC 6749. */
export interface TokenRefusals {
  /** Where an answer holds codes, the one that says most first; `error` when left out. Numbers count as their digits. */
  readonly codesAt?: readonly AnswerPath[]
  /** Codes and statuses after which the same request may soon succeed. */
  readonly passing?: readonly (string | number)[]
  /** Codes that speak of the application, not of the grant. */
  readonly application?: readonly string[]
  /** The only codes that speak of the grant, where a system is known to have many others. */
  readonly grant?: readonly string[]
}
