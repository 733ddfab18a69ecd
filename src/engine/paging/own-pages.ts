/** Pages that Conex makes itself where the system has none. Their tokens are opaque to callers, and bound to the query they belong to. */
import { createHash } from 'node:crypto'
import type { TimePaging, WholePaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import type { Page, Query } from './page.ts'

type OwnPaging = Pick<WholePaging | TimePaging, 'limit' | 'offset' | 'blockName'>

interface OwnQuery<P> {
  /** What the system is asked. */
  readonly query: Query
  readonly limit: number | undefined
  /** Where the page before this one ended; null for the first page. */
  readonly position: P | null
  /** The page that ends at a position, or is the last where that is null; `warning` says that the system left something out. */
  readonly page: (records: readonly unknown[], position: P | null, warning: string | false) => Page
}

/** Removes the paging params from a query; 422 if the token is foreign, changed, or from another query. */
export function ownQuery<P>(
  { limit: limitName, offset, blockName }: OwnPaging,
  asked: Query,
  isPosition: (value: unknown) => value is P,
): OwnQuery<P> {
  const { [limitName]: limit, [offset]: token, ...query } = asked
  return {
    query,
    limit: typeof limit === 'number' ? limit : undefined,
    position: typeof token === 'string' ? positionIn(token) : null,
    page: (records, position, warning) => {
      const next = position === null ? null : { [offset]: tokenOf(fingerprint(query), position) }
      return {
        records,
        block: { [blockName]: next },
        next: next && { ...asked, ...next },
        ...(warning !== false && { warnings: [{ path: '/result', message: warning }] }),
      }
    },
  }

  function positionIn(token: string): P {
    const [print, position] = partsOf(token) ?? []
    if (print === fingerprint(query) && isPosition(position)) return position
    const isOthers = print !== undefined && print !== fingerprint(query)
    throw new ConexError(
      'invalid_cursor',
      isOthers
        ? 'This page token belongs to other params; repeat it with its own params, or start again from the first page.'
        : `This ${offset} is not a page token of this list; send the ${offset} that the previous page gave, unchanged, or none for the first page.`,
    )
  }
}

function tokenOf(print: unknown, position: unknown): string {
  const parts = [1, print, position]
  return Buffer.from(JSON.stringify([...parts, digest(parts)])).toString('base64url')
}

/** The parts of a token; null when it is damaged, or none of ours. */
function partsOf(token: string): [print: unknown, position: unknown] | null {
  try {
    const [, print, position] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as unknown[]
    // The whole text is compared: base64 reads over characters that do not belong to it.
    return tokenOf(print, position) === token ? [print, position] : null
  } catch {
    return null
  }
}

/** Identifies a query by all of its params, in any order. */
const fingerprint = (query: Query): string =>
  digest(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Tells a damaged token from a whole one. It is no signature: a token gives access to nothing. */
const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
