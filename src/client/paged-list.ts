/** Lists of the service itself, which page with `cursor` and `next_cursor`. */
import { ConexError } from '../errors.ts'
import type { CallOptions } from './with-timeout.ts'
import { eachWithTimeout } from './with-timeout.ts'

/** Call it for one page; `pages` iterates over pages, and `all` over items. */
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
    fetchPage(query as Record<string, never>, options).then((found) => {
      if (Array.isArray((found as P | null) && itemsOf(found))) return found
      throw noList()
    })

  const pages = (query: object = {}, options: CallOptions = {}): AsyncGenerator<P, void, undefined> =>
    eachWithTimeout(options, async function* (signal) {
      const seen = new Set<string>()
      for (let cursor: object = {}; ; ) {
        const found = await page({ ...query, ...cursor }, { signal })
        yield found
        const { next_cursor: next } = found
        if (next === null) return
        if (typeof next !== 'string' || seen.has(next)) throw noList()
        seen.add(next)
        cursor = { cursor: next }
      }
    })

  async function* all(query?: object, options?: CallOptions): AsyncGenerator<T, void, undefined> {
    for await (const found of pages(query, options)) yield* itemsOf(found)
  }

  return Object.assign(page, { pages, all })
}

const noList = (): ConexError =>
  new ConexError('internal', 'The server at baseUrl answered with a list that Conex would not send; check baseUrl.')
