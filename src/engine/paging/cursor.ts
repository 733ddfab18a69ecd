/** Pages by the system's own tokens, one at a time or all of them inside one call. */
import type { AnswerPath, CursorPaging, NumberedPages, PagingBlock, WalkPaging } from '../../catalog/paging.ts'
import { valueAt } from '../http/value-at.ts'
import { type Fetch, foundAt, noPageToken, type Page, type Query, tokenAt } from './page.ts'
import { pageSizeOf } from './page-size.ts'
import { type RecordIdentity, watchProgress } from './progress.ts'

type Token = string | number

/** How a system tells of its next page, whether callers have a param for it or not. */
type Tokens = Pick<
  CursorPaging,
  'cursor' | 'counts' | 'next' | 'blankEnds' | 'lastOf' | 'more' | 'moreQuery' | 'block' | 'total'
>

/** One page by an opaque token. A page that the system finds too large is asked for again with half as many records. */
export async function cursorPage(
  paging: CursorPaging,
  query: Query,
  fetch: Fetch,
  size = pageSizeOf(paging, query),
): Promise<Page> {
  if (size === undefined) return tokenPage(paging, query, fetch)
  return size.ask(query, (sent, canShrink) => tokenPage(paging, sent, (asked) => fetch(asked, canShrink)))
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
  for (let sent: Query | null = query; sent !== null; ) {
    const page: Page = await tokenPage(paging, sent, fetch)
    for (const record of page.records) records.push(record)
    sent = page.next
    const problem = watch({ ...page, next: sent && String(sent[paging.cursor]) })
    if (problem !== null) throw problem
  }
  // One answer stands for all pages, so what the system told about the last of them is left out.
  return { records, block: blockOf(paging.block, undefined, null, records.length), next: null }
}

async function tokenPage(paging: Tokens, query: Query, fetch: Fetch): Promise<Page> {
  const { body, records, listed = records.length } = await fetch(query)
  const next = nextToken(paging, body, records)
  const total = paging.total && valueAt(body, paging.total)
  return {
    ...(typeof total === 'number' && { total, listed }),
    records,
    block: blockOf(paging.block, body, next, records.length),
    next: next === null ? null : { ...query, [paging.cursor]: next },
  }
}

function nextToken(paging: Tokens, body: unknown, records: readonly unknown[]): Token | null {
  const { counts, next, blankEnds, lastOf, more, moreQuery, block } = paging
  if ('page' in next) return nextNumber(next, body)
  if (blankEnds && foundAt(body, next) === '') return null
  // A block that is the system's own object, and names no key for the token, is absent as a whole on the last page.
  if (more === undefined) {
    const token = tokenAt(body, next, block.holds === 'object' && block.token === undefined ? block.at : next)
    return token === null || lastOf === undefined ? token : tokenAt(records.at(-1), [lastOf], [])
  }
  const told = foundAt(body, more)
  // Where the address of the next page is expected, false is no end.
  if (told === null || (told === false && moreQuery === undefined)) return null
  if (told !== true && (typeof told !== 'string' || told === '')) throw noPageToken()
  if (counts) return countAt(body, next)
  const token = tokenAt(body, next) ?? (moreQuery && URL.parse(String(told))?.searchParams.get(moreQuery))
  if (!token) throw noPageToken()
  return token
}

/** The number of the next page. */
function nextNumber({ page, pages }: NumberedPages, body: unknown): number | null {
  const [number, last] = [foundAt(body, page), foundAt(body, pages)]
  if (number === null && last === null) return null
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(last)) throw noPageToken()
  return (number as number) < (last as number) ? (number as number) + 1 : null
}

/** A token that is the number of records before the page. */
function countAt(body: unknown, path: AnswerPath): number {
  const count = foundAt(body, path)
  if (!Number.isSafeInteger(count)) throw noPageToken()
  return count as number
}

function blockOf(block: PagingBlock, body: unknown, token: Token | null, records: number): Record<string, unknown> {
  if (block.holds === 'token') {
    const beside = Object.entries(block.beside ?? {}).map(([name, path]) => [name, valueAt(body, path) ?? null])
    return { [block.name]: token, ...Object.fromEntries(beside) }
  }
  const given = valueAt(body, block.at)
  const own = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : null
  const found = block.counted === undefined ? own : block.counted(own, records)
  if (found === null) return { [block.name]: null }
  return { [block.name]: block.token === undefined ? found : { ...found, [block.token]: token } }
}
