/** Reads one page of a list by the style in which its system pages. */
import type { ListOperation } from '../../catalog/operation.ts'
import { cursorPage, numberedPage, walkedPage } from './cursor.ts'
import type { Fetch, Page, Query } from './page.ts'
import type { PageSize } from './page-size.ts'
import { identityIn } from './progress.ts'
import { timePage } from './time.ts'
import { wholePage } from './whole.ts'

export async function pageByStyle(
  { paging, record }: ListOperation,
  query: Query,
  fetch: Fetch,
  size?: PageSize,
): Promise<Page> {
  switch (paging.style) {
    case 'none':
      return { records: (await fetch(query)).records, block: {}, next: null }
    case 'cursor':
      return cursorPage(paging, query, fetch, size)
    case 'page number':
      return numberedPage(paging, query, fetch)
    case 'walk':
      return walkedPage(paging, identityIn(record), query, fetch)
    case 'whole':
      return wholePage(paging, query, fetch)
    case 'time':
      return timePage(paging, query, fetch)
  }
}
