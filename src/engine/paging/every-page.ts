/** Goes through all pages of a list. */
import type { ListOperation } from '../../catalog/operation.ts'
import type { Query } from './page.ts'
import { type PageSize, pageSizeOf } from './page-size.ts'
import { identityIn, watchProgress } from './progress.ts'

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
