/** A route: its address, who may call it, and its endpoint. */
import type { Endpoint } from './endpoint.ts'

/** The token that a route needs: none, any, or an organization-wide one. */
export type TokenNeeded = 'none' | 'any' | 'bearer'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Other paths to the same endpoint. */
  readonly aliases?: readonly string[]
  readonly token: TokenNeeded
  /** A protected resource of OAuth: it also accepts tokens that are for it alone, and refusals say where to get one. */
  readonly protectedResource?: true
  /** Stricter limits per address, because the route can be used to guess secrets. */
  readonly guarded?: true
  /** A visit has an effect, so HEAD, which other parties send to look ahead, is not allowed. */
  readonly withoutHead?: true
  readonly endpoint: Endpoint
}
