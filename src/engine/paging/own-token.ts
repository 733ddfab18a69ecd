/** Page tokens that Conex makes itself where the system has none: opaque to callers, bound to the query they belong to. */
import { createHash } from 'node:crypto'
import { ConexError } from '../../errors.ts'
import type { Query } from './page.ts'

/** Writes a token for the next page of this query. */
export function writeToken(query: Query, own: readonly string[], position: unknown): string {
  const parts = [1, fingerprint(query, own), position]
  return Buffer.from(JSON.stringify([...parts, digest(parts)])).toString('base64url')
}

/** Reads a token back; 422 when it is not one of ours, was changed, or belongs to another query. */
export function readToken(token: string, query: Query, own: readonly [limit: string, param: string]): unknown {
  const [print, position] = wholeParts(token) ?? []
  if (print === undefined) throw unknownToken(own[1])
  if (print !== fingerprint(query, own))
    throw new ConexError(
      'invalid_cursor',
      'This page token belongs to other params; repeat it with the params it came from, or start again from the first page.',
    )
  return position
}

function wholeParts(token: string): [print: unknown, position: unknown] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== 1) return null
    const [version, print, position, sum] = parts as unknown[]
    if (sum !== digest([version, print, position])) return null
    // The whole text is compared, since base64 reads over characters that do not belong to it.
    return Buffer.from(JSON.stringify(parts)).toString('base64url') === token ? [print, position] : null
  } catch {
    return null
  }
}

/** `param` takes the token that a page gives under that name. */
export const unknownToken = (param: string): ConexError =>
  new ConexError(
    'invalid_cursor',
    `This ${param} is not a page token of this list; send the ${param} that the previous page gave, unchanged, or none for the first page.`,
  )

/** Identifies a query by all that it asks except its paging, in any order. */
function fingerprint(query: Query, own: readonly string[]): string {
  const asked = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !own.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return digest(asked)
}

/** Tells a damaged token from a whole one. It is no signature: a token gives access to nothing. */
const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
