/** Lists of the service itself, which page by `cursor` and `next_cursor`. */
import type { CallOptions } from './in-time.ts'
import { eachInTime } from './in-time.ts'

/** Call it for one page, `pages` for page after page, `all` for one after another. */
export interface PagedList<Q, P, T> {
  (query?: Q, options?: CallOptions): Promise<P>
  pages(query?: Q, options?: CallOptions): AsyncGenerator<P, void, undefined>
  all(query?: Q, options?: CallOptions): AsyncGenerator<T, void, undefined>
}

export function pagedList<Q extends object, P extends { readonly next_cursor: string | null }, T>(
  fetchPage: (query: Record<string, never>, options: CallOptions) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): PagedList<Q, P, T> {
  const page = (query: object = {}, options: CallOptions = {}): Promise<P> =>
    fetchPage(query as Record<string, never>, options)

  const pages = (query: object = {}, options: CallOptions = {}): AsyncGenerator<P, void, undefined> =>
    eachInTime(options, async function* (signal) {
      for (let cursor: object = {}; ; ) {
        const found = await page({ ...query, ...cursor }, { signal })
        yield found
        if (found.next_cursor === null) return
        cursor = { cursor: found.next_cursor }
      }
    })

  async function* all(query?: object, options?: CallOptions): AsyncGenerator<T, void, undefined> {
    for await (const found of pages(query, options)) yield* itemsOf(found)
  }

  return Object.assign(page, { pages, all })
}
