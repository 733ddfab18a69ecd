/** Checks that a request has the token that its route needs. */
import type { FastifyRequest } from 'fastify'
import { ConexError } from '../errors.ts'
import type { TokenNeeded } from './route.ts'

/** The token in an Authorization header: null without one, and an invalid token for another scheme. */
export function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  return /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? ''
}

/**
 * Why to refuse a request: 401 without a valid token, 403 for a scoped token where an organization-wide one is needed.
 */
export function refusalOf({ caller, refusal }: FastifyRequest, needed: TokenNeeded): ConexError | null {
  if (needed === 'none') return null
  if (caller === null)
    return refusal ?? new ConexError('unauthenticated', 'Send a token: Authorization: Bearer <token>.')
  if (needed === 'bearer' && caller.externalUserId !== null)
    return new ConexError('forbidden', 'A scoped token is not enough here; use the bearer token of the organization.')
  return null
}
