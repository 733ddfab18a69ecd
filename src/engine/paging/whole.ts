/** Pages through an answer that the system gives only as a whole: the caller's `limit` and `offset` are served from it. */
import type { WholePaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import { readToken, unknownToken, writeToken } from './own-token.ts'
import { type Fetch, identityOf, type Page, type Query } from './page.ts'

export async function wholePage(paging: WholePaging, asked: Query, fetch: Fetch): Promise<Page> {
  const own = [paging.limit, paging.offset] as const
  const { [paging.limit]: limit, [paging.offset]: offset, ...query } = asked
  const after = typeof offset === 'string' ? positionOf(readToken(offset, query, own), paging.offset) : null
  const { records } = await fetch(query)
  const start = after === null ? 0 : placeAfter(records, paging.identity, after)
  const end = typeof limit === 'number' ? start + limit : records.length
  const page = records.slice(start, end)
  const last = page.at(-1)
  const next =
    end < records.length && last !== undefined ? writeToken(query, own, identityOf(last, paging.identity)) : null
  const cut = paging.cut !== undefined && records.length >= paging.cut.at
  return {
    records: page,
    block: { [paging.blockName]: next === null ? null : { [paging.offset]: next } },
    next: next === null ? null : { ...asked, [paging.offset]: next },
    ...(cut ? { warnings: [{ path: '/result', message: paging.cut.warning }] } : {}),
  }
}

function positionOf(position: unknown, param: string): string {
  if (typeof position !== 'string') throw unknownToken(param)
  return position
}

/** The place behind the record that the previous page ended with. */
function placeAfter(records: readonly unknown[], identity: string, after: string): number {
  const found = records.findIndex((record) => identityOf(record, identity) === after)
  if (found === -1)
    throw new ConexError(
      'invalid_cursor',
      'The record at which the previous page ended is gone; start again from the first page.',
    )
  return found + 1
}
