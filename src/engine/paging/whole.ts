/** Pages through an answer that the system gives only as a whole: the caller's `limit` and `offset` are served from it. */
import type { WholePaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import { ownQuery } from './own-pages.ts'
import type { Fetch, Page, Query } from './page.ts'
import type { RecordIdentity } from './progress.ts'

export async function wholePage(
  paging: WholePaging,
  identity: RecordIdentity,
  asked: Query,
  fetch: Fetch,
): Promise<Page> {
  const { query, limit, position, page } = ownQuery(paging, asked, (value) => typeof value === 'string')
  const { records } = await fetch(query)
  const start = position === null ? 0 : placeAfter(position)
  const end = start + (limit ?? records.length)
  const last = end < records.length ? (identity(records[end - 1]) ?? '') : null
  const { cut } = paging
  return page(records.slice(start, end), last, cut !== undefined && records.length >= cut.at && cut.warning)

  /** The place behind the record that the previous page ended with. */
  function placeAfter(last: string): number {
    const found = records.findIndex((record) => (identity(record) ?? '') === last)
    if (found === -1)
      throw new ConexError(
        'invalid_cursor',
        'The last record of the previous page is gone; start again from the first page.',
      )
    return found + 1
  }
}
