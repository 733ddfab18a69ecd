/** Page tokens that Conex makes itself where the system has none: opaque to callers, bound to the query they belong to. */
import { createHash } from 'node:crypto'
import type { Params } from '../../catalog/rules.ts'
import { ConexError } from '../../errors.ts'

/** Writes a token for the next page of this query. */
export function writeToken(params: Params, own: readonly string[], position: unknown): string {
  return Buffer.from(JSON.stringify([1, fingerprint(params, own), position])).toString('base64url')
}

/** Reads a token back; 422 when it is not one of ours or belongs to another query. */
export function readToken(token: string, params: Params, own: readonly string[]): unknown {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
  } catch {
    throw unknownToken()
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== 1) throw unknownToken()
  if (parts[1] !== fingerprint(params, own))
    throw new ConexError(
      'invalid_cursor',
      'This page token belongs to other params; repeat it with the params it came from, or start again from the first page.',
    )
  return parts[2]
}

export const unknownToken = (): ConexError =>
  new ConexError('invalid_cursor', 'This is not a page token of this list; start again from the first page.')

/** What identifies a query: its params without the paging ones, in any order. */
function fingerprint(params: Params, own: readonly string[]): string {
  const query = Object.entries(params)
    .filter(([name, value]) => value !== undefined && !own.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 16)
}
