/** The pages of one list, from a given page on. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Stream, StreamedRecord } from '../catalog/stream.ts'
import type { StreamPage } from '../engine/call/call.ts'
import { type PageSize, pageSizeOf } from '../engine/paging/page-size.ts'
import { UnsoundList, watchProgress } from '../engine/paging/progress.ts'
import { ConexError } from '../errors.ts'
import type { Setbacks } from './setbacks.ts'
import type { SyncContext } from './sync-context.ts'

/** How often a list whose page token ran out is begun again before that counts as a failure. */
const mostRestarts = 2

/** What one pass has learnt of the sizes of pages, for each of its lists. */
export type PageSizes = Map<ListOperation, PageSize>

export interface ReadPage extends StreamPage {
  /** Whether the list is whole with it. */
  readonly ends: boolean
}

/**
 * Gives each page once it is there; the next one is asked for when the caller has written it. Throws `UnsoundList` where the
 * pages bring nothing any more, or less than the system counts.
 */
export async function* readPages(
  run: SyncContext,
  list: ListOperation,
  first: Params,
  start: Params | null,
  sizes: PageSizes,
  identity: Stream['identity'],
  setbacks: Setbacks,
): AsyncGenerator<ReadPage, void, undefined> {
  let restarts = 0
  const identify = (record: unknown): string | null => identity(record as StreamedRecord)
  let watch = watchProgress(identify, start === null)
  const size = sizes.get(list) ?? pageSizeOf(list.paging, first, start ?? first)
  if (size !== undefined) sizes.set(list, size)
  for (let params: Params | null = start ?? first; params !== null; ) {
    await run.betweenPages()
    let page: StreamPage
    try {
      page = await run.reader.page(list, params, size, setbacks.patient)
      setbacks.came()
    } catch (error) {
      const ranOut = error instanceof ConexError && error.code === 'invalid_cursor' && params !== first
      if (!ranOut || restarts++ === mostRestarts) throw error
      params = first
      watch = watchProgress(identify)
      continue
    }
    const problem = problemOf(() => watch({ ...page, next: page.next && JSON.stringify(page.next) }))
    yield { ...page, ends: page.next === null && problem === null }
    if (problem !== null) throw problem
    params = page.next
  }
}

function problemOf(judge: () => void): UnsoundList | null {
  try {
    judge()
    return null
  } catch (error) {
    if (error instanceof UnsoundList) return error
    throw error
  }
}
