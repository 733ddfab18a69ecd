/** The pages of one list, from a given page on. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { StreamedRecord } from '../catalog/stream.ts'
import type { StreamPage } from '../engine/call/call.ts'
import { type PageSize, pageSizeOf } from '../engine/paging/page-size.ts'
import { watchProgress } from '../engine/paging/progress.ts'
import { ConexError } from '../errors.ts'
import type { Setbacks } from './setbacks.ts'
import type { PassContext } from './sync-context.ts'

/** How often a list whose page token ran out is begun again, before that counts as a failure. */
const mostRestarts = 2

/** The page size that each list allows, as far as a pass has learnt it. */
export type PageSizes = Map<ListOperation, PageSize>

export interface ReadPage extends StreamPage {
  /** Whether the list is complete with this page. */
  readonly ends: boolean
}

/**
 * Yields each page, and asks for the next one when the caller has written it. Throws `UnsoundList` after the page at which the list
 * begins to repeat itself, or ends with fewer records than the system counts.
 */
export async function* readPages(
  { stream, reader, betweenPages }: PassContext,
  { list, first, start }: { readonly list: ListOperation; readonly first: Params; readonly start: Params | null },
  sizes: PageSizes,
  setbacks: Setbacks,
): AsyncGenerator<ReadPage, void, undefined> {
  const identify = (record: unknown): string | null => stream.identity(record as StreamedRecord)
  const size = sizes.get(list) ?? pageSizeOf(list.paging, first, start ?? first)
  if (size !== undefined) sizes.set(list, size)
  let watch = watchProgress(identify, start === null)
  let restarts = 0
  for (let params: Params | null = start ?? first; params !== null; ) {
    await betweenPages()
    let page: StreamPage
    try {
      page = await reader.page(list, params, size, setbacks.patient)
    } catch (error) {
      const ranOut = error instanceof ConexError && error.code === 'invalid_cursor' && params !== first
      if (!ranOut || restarts++ === mostRestarts) throw error
      params = first
      watch = watchProgress(identify)
      continue
    }
    setbacks.pageCame()
    let problem: unknown = null
    try {
      watch({ ...page, next: page.next && JSON.stringify(page.next) })
    } catch (error) {
      problem = error
    }
    yield { ...page, ends: page.next === null && problem === null }
    if (problem !== null) throw problem
    params = page.next
  }
}
