/** Goes through all pages of a list. */
import type { Paging } from '../../catalog/paging.ts'
import type { Params } from '../../catalog/rules.ts'
import { repeatedToken } from './cursor.ts'
import { type PageSize, pageSizeOf } from './page-size.ts'

/** Pages from the first to the last, each read when it is wanted; refuses a page that would come a second time. */
export async function* everyPage<P extends { readonly next: Params | null }>(
  paging: Paging,
  first: Params,
  read: (params: Params, size: PageSize | undefined) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  const seen = new Set<string>()
  const size = pageSizeOf(paging, first)
  for (let params: Params | null = first; params !== null; ) {
    const page: P = await read(params, size)
    yield page
    params = page.next
    const key = JSON.stringify(page.next)
    if (seen.has(key)) throw repeatedToken()
    seen.add(key)
  }
}
