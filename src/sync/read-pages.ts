/** The pages of one list, from a given page on. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { StreamedRecord } from '../catalog/stream.ts'
import type { StreamPage } from '../engine/call/call.ts'
import { type PageSize, pageSizeOf } from '../engine/paging/page-size.ts'
import { everyPage } from '../engine/paging/paging.ts'
import { ConexError } from '../errors.ts'
import type { Setbacks } from './setbacks.ts'
import type { PassContext } from './sync-context.ts'

/** How often a list with an expired page token is started again before that counts as a failure. */
const mostRestarts = 2

/** The page size that each list allows, as a pass has learnt it. */
export type PageSizes = Map<ListOperation, PageSize | undefined>

export interface ReadPage extends StreamPage {
  /** Whether the list is complete with this page. */
  readonly ends: boolean
}

/** Yields each page, and requests the next one when the caller has written it. */
export async function* readPages(
  { stream, reader, betweenPages }: PassContext,
  { list, first, start }: { readonly list: ListOperation; readonly first: Params; readonly start: Params | null },
  sizes: PageSizes,
  setbacks: Setbacks,
): AsyncGenerator<ReadPage, void, undefined> {
  const identity = (record: unknown): string | null => stream.identity(record as StreamedRecord)
  const size = sizes.get(list) ?? pageSizeOf(list.paging, first, start ?? first)
  sizes.set(list, size)
  for (let from = start, restarts = 0; ; from = null, restarts++) {
    let asked = first
    async function read(params: Params): Promise<StreamPage> {
      asked = params
      await betweenPages()
      const page = await reader.page(list, params, size, setbacks.patient)
      setbacks.pageCame()
      return page
    }
    try {
      return yield* everyPage(list, first, read, { start: from, size, identity })
    } catch (error) {
      const ranOut = error instanceof ConexError && error.code === 'invalid_cursor' && asked !== first
      if (!ranOut || restarts === mostRestarts) throw error
    }
  }
}
