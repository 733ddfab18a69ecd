/** One route: where it is, who may call it, and what it does. */
import type { Endpoint } from './endpoint.ts'

/** Which token a route asks for: none, one of either sort, or an organization-wide one. */
export type TokenNeeded = 'none' | 'any' | 'bearer'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Other addresses with the same answers. */
  readonly aliases?: readonly string[]
  readonly token: TokenNeeded
  /** Limited to fewer requests per address, because it can be used to guess secrets. */
  readonly guarded?: true
  /** A visit uses something up, so that a HEAD, which others send to look ahead, must not be one. */
  readonly withoutHead?: true
  readonly endpoint: Endpoint
}
