/** The pages of one list, from a given page on. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { StreamPage } from '../engine/call.ts'
import { type PageSize, pageSizeOf } from '../engine/paging/page-size.ts'
import { ConexError } from '../errors.ts'
import type { Run } from './run.ts'

/** How often a list whose page token ran out is begun again before that counts as a failure. */
const mostRestarts = 2

/** A list whose pages go round in a circle. Whoever went on in it later would only go round again. */
export class EndlessList extends ConexError {
  constructor() {
    super(
      'upstream_invalid_response',
      'The third-party system gave the same page token twice: its cursor did not advance, so the list was not read to its end.',
    )
  }
}

/** What one pass has learnt of the sizes of pages, for each of its lists. */
export type PageSizes = Map<ListOperation, PageSize>

/** Gives each page once it is there; the next one is asked for when the caller has written it. */
export async function* readPages(
  run: Run,
  list: ListOperation,
  first: Params,
  start: Params | null,
  sizes: PageSizes,
): AsyncGenerator<StreamPage, void, undefined> {
  let restarts = 0
  const seen = new Set<string>()
  const size = sizes.get(list) ?? pageSizeOf(list.paging, first, start ?? first)
  if (size !== undefined) sizes.set(list, size)
  for (let params: Params | null = start ?? first; params !== null; ) {
    await run.betweenPages()
    let page: StreamPage
    try {
      page = await run.upstream.page(list, params, size)
    } catch (error) {
      const ranOut = error instanceof ConexError && error.code === 'invalid_cursor' && params !== first
      if (!ranOut || restarts++ === mostRestarts) throw error
      params = first
      seen.clear()
      continue
    }
    if (page.next !== null) {
      const token = JSON.stringify(page.next)
      if (seen.has(token)) throw new EndlessList()
      seen.add(token)
    }
    yield page
    params = page.next
  }
}
