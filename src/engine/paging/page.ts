/** What the paging styles work with: a way to fetch, and a page to give back. */
import type { AnswerPath } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import type { Warning } from '../warning.ts'

/** What a list is asked, by the names of its params: a paging style reads it, and asks the system with some of it changed. */
export type Query = Readonly<Record<string, unknown>>

/** One answer of the system: its records, and the whole body for what stands beside them. */
export interface Fetched {
  readonly body: unknown
  readonly records: readonly unknown[]
  /** How many records the answer itself had, where some of them may have been left out. */
  readonly listed?: number
}

/** Asks the system. `canShrink`: a page that is refused is asked for again with fewer records. */
export type Fetch = (query: Query, canShrink?: boolean) => Promise<Fetched>

/** One page as a list answers it. */
export interface Page {
  readonly records: readonly unknown[]
  /** The kind's paging block. */
  readonly block: Readonly<Record<string, unknown>>
  /** What to ask for the next page; null at the end. */
  readonly next: Query | null
  /** How many records the list has in all, where the system tells. */
  readonly total?: number
  /** How many of those the page had, including records left out of it here; as many as it shows when not given. */
  readonly listed?: number
  readonly warnings?: readonly Warning[]
}

/**
 * An answer's word about its next page, at a path; null when nothing is there. Only that is an end: another value on the way
 * there is an error. `sign` is the start of the path, up to the key that is absent on the last page.
 */
export function foundAt(body: unknown, path: AnswerPath, sign: AnswerPath = path): unknown {
  let found = body
  for (const [depth, key] of path.entries()) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) throw noPageToken()
    found = Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : null
    if (found !== null && found !== undefined) continue
    if (depth < sign.length) return null
    throw noPageToken()
  }
  return found
}

/** The page token at a path. */
export function tokenAt(body: unknown, path: AnswerPath, sign?: AnswerPath): string | null {
  const token = foundAt(body, path, sign)
  if (token === null) return null
  if (typeof token !== 'string' || token === '' || token.length > longestToken) throw noPageToken()
  return token
}

/** A longer one fits into no address, so that it could not be taken back. */
const longestToken = 8192

/** The error for an answer that has something where its next page should be told, but no way to it. */
export const noPageToken = (): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    'The third-party system says that the list continues, but sent no page token, so its end is unknown; repeat the call later.',
  )
