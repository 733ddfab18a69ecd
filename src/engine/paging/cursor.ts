/** Pages by the system's own tokens, by page numbers, and by walking all of them inside one call. */
import type { CursorPaging, PageNumberPaging, PagingBlock, WalkPaging } from '../../catalog/paging.ts'
import { plainNumber } from '../../catalog/plain-value.ts'
import { valueAt } from '../http/value-at.ts'
import { PageTooLarge, RecordBroken } from '../recoverable-refusal.ts'
import { type Fetch, type Fetched, foundAt, noPageToken, type Page, type Query, tokenAt } from './page.ts'
import { type PageSize, pageSizeOf } from './page-size.ts'
import { type RecordIdentity, watchProgress } from './progress.ts'

/** One page by an opaque token. A page that the system finds too large is asked for again with half as many records. */
export async function cursorPage(
  paging: CursorPaging,
  query: Query,
  fetch: Fetch,
  size = pageSizeOf(paging, query),
): Promise<Page> {
  const { limit } = paging
  const { fetched, sent } =
    limit === undefined || size === undefined
      ? { fetched: await fetch(query), sent: query }
      : await sized(limit, query, fetch, size)
  const next = nextToken(paging, fetched.body)
  const total = paging.total === undefined ? undefined : valueAt(fetched.body, paging.total)
  return {
    ...(typeof total === 'number' && { total, listed: fetched.listed ?? fetched.records.length }),
    records: fetched.records,
    block: blockOf(paging.block, fetched.body, next, fetched.records.length),
    next: next === null ? null : { ...sent, [paging.cursor]: next },
  }
}

function nextToken({ next, more, moreQuery, block }: CursorPaging, body: unknown): string | null {
  // A block that is the system's own object, and names no key for the token, is absent as a whole on the last page.
  if (more === undefined)
    return tokenAt(body, next, block.holds === 'object' && block.token === undefined ? block.at : next)
  const told = foundAt(body, more)
  if (told === null) return null
  if (typeof told !== 'string' || told === '') throw noPageToken()
  const token = tokenAt(body, next) ?? (moreQuery && URL.parse(told)?.searchParams.get(moreQuery))
  if (!token) throw noPageToken()
  return token
}

async function sized(
  limit: NonNullable<CursorPaging['limit']>,
  query: Query,
  fetch: Fetch,
  size: PageSize,
): Promise<{ fetched: Fetched; sent: Query }> {
  for (let asked = size.next(); ; ) {
    const sent: Query = { ...query, [limit.param]: asked }
    try {
      const fetched = await fetch(sent, asked > limit.smallest)
      size.came(asked)
      return { fetched, sent }
    } catch (error) {
      if (!(error instanceof PageTooLarge) || asked <= limit.smallest) throw error
      const smaller = Math.max(limit.smallest, Math.floor(asked / 2))
      size.shrink(smaller, error instanceof RecordBroken)
      asked = smaller
    }
  }
}

/** One page by its number; the token that callers see is the number. */
export async function numberedPage(paging: PageNumberPaging, query: Query, fetch: Fetch): Promise<Page> {
  const sent = { ...query, [paging.size.param]: query[paging.size.param] ?? paging.size.default }
  const { body, records } = await fetch(sent)
  const page = Number(query[paging.page] ?? 1)
  const told = foundAt(body, paging.pages)
  const pages = told === null ? 0 : plainNumber(told)
  if (!Number.isSafeInteger(pages) || pages < 0) throw noPageToken()
  const next = page < pages ? page + 1 : null
  return {
    records,
    block: blockOf(paging.block, body, next === null ? null : String(next), records.length),
    next: next === null ? null : { ...sent, [paging.page]: next },
  }
}

/** All pages in one answer. The deadline bounds the walk; one that makes no progress ends with an error. */
export async function walkedPage(
  paging: WalkPaging,
  identity: RecordIdentity,
  query: Query,
  fetch: Fetch,
): Promise<Page> {
  const records: unknown[] = []
  const watch = watchProgress(identity)
  let sent = query
  for (;;) {
    const fetched = await fetch(sent)
    for (const record of fetched.records) records.push(record)
    const token = tokenAt(fetched.body, paging.next)
    const total = paging.total === undefined ? undefined : valueAt(fetched.body, paging.total)
    watch({ ...fetched, next: token, total: typeof total === 'number' ? total : null })
    if (token === null) {
      // One answer stands for all pages, so what the system told about the last of them is left out.
      const block = paging.block === undefined ? {} : blockOf(paging.block, undefined, null, records.length)
      return { records, block, next: null }
    }
    sent = { ...query, [paging.cursor]: token }
  }
}

function blockOf(block: PagingBlock, body: unknown, token: string | null, records: number): Record<string, unknown> {
  if (block.holds === 'token') return { [block.name]: token }
  const given = valueAt(body, block.at)
  const own = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : null
  const found = block.counted === undefined ? own : block.counted(own, records)
  if (found === null) return { [block.name]: null }
  return { [block.name]: block.token === undefined ? found : { ...found, [block.token]: token } }
}
