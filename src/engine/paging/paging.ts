/** Reads the pages of a list by the style in which its system pages: one, or all of them. */
import type { ListOperation } from '../../catalog/operation.ts'
import { cursorPage, walkedPage } from './cursor.ts'
import type { Fetch, Page, Query } from './page.ts'
import { type PageSize, pageSizeOf } from './page-size.ts'
import { identityIn, type RecordIdentity, watchProgress } from './progress.ts'
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
    case 'walk':
      return walkedPage(paging, identityIn(record), query, fetch)
    case 'whole':
      return wholePage(paging, identityIn(record), query, fetch)
    case 'time':
      return timePage(paging, identityIn(record), query, fetch)
  }
}

interface Walk {
  /** The query of the page to begin at, where that is not the first one. */
  readonly start?: Query | null
  readonly size?: PageSize | undefined
  readonly identity?: RecordIdentity
}

/**
 * Pages to the last one, each read when it is wanted; `ends` tells whether the list is complete with it. Throws `UnsoundList` after
 * the page at which the list begins to repeat itself, or ends with fewer records than the system counts.
 */
export async function* everyPage<P extends Page>(
  { paging, record }: ListOperation,
  first: Query,
  read: (query: Query, size: PageSize | undefined) => Promise<P>,
  { start = null, size = pageSizeOf(paging, first, start ?? first), identity = identityIn(record) }: Walk = {},
): AsyncGenerator<P & { readonly ends: boolean }, void, undefined> {
  const fromFirst = start === null && (paging.style !== 'cursor' || first[paging.cursor] === undefined)
  const watch = watchProgress(identity, fromFirst)
  for (let query: Query | null = start ?? first; query !== null; ) {
    const page: P = await read(query, size)
    const problem = watch({ ...page, next: page.next && JSON.stringify(page.next) })
    yield { ...page, ends: page.next === null && problem === null }
    if (problem !== null) throw problem
    query = page.next
  }
}
