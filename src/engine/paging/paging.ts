/** Reads the pages of a list by the style in which its system pages: one, or all of them. */
import type { ListOperation } from '../../catalog/operation.ts'
import { cursorPage, numberedPage, walkedPage } from './cursor.ts'
import type { Fetch, Page, Query } from './page.ts'
import { type PageSize, pageSizeOf } from './page-size.ts'
import { identityIn, watchProgress } from './progress.ts'
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

interface OnePage {
  readonly records: readonly unknown[]
  readonly next: Query | null
  readonly total: number | null
}

/** Pages from the first to the last, each read when it is wanted; ends with an error where they bring nothing any more. */
export async function* everyPage<P extends OnePage>(
  { paging, record }: ListOperation,
  first: Query,
  read: (query: Query, size: PageSize | undefined) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  const size = pageSizeOf(paging, first)
  const watch = watchProgress(identityIn(record), paging.style !== 'cursor' || first[paging.cursor] === undefined)
  for (let query: Query | null = first; query !== null; ) {
    const page: P = await read(query, size)
    yield page
    watch({ ...page, next: page.next && JSON.stringify(page.next) })
    query = page.next
  }
}
