/** The ways in which third-party systems page, as a closed set of named styles. A style brings its own list params. */
import type { TSchema } from 'typebox'

type ListParams = Record<string, TSchema>

/** Where in an answer something stands, key by key. */
export type AnswerPath = readonly string[]

/** What a list answer tells about paging, beside its records. */
export type PagingBlock =
  /** `{[name]: <the next page token or null>}` */
  | { readonly name: string; readonly holds: 'token' }
  /** `{[name]: <the system's own object found at the path, or null>}`; `token` names the key that is null at the end. */
  | {
      readonly name: string
      readonly holds: 'object'
      readonly at: AnswerPath
      readonly token?: string
      /** Brings the object in line with the number of records that the caller gets; it is null where the system gave none. */
      readonly counted?: (found: Readonly<Record<string, unknown>> | null, records: number) => object
    }

/** Everything comes in one answer, and the list takes no paging params. */
export interface NoPaging {
  readonly style: 'none'
  readonly params: Record<never, never>
}

/** The answer holds an opaque token; the next page is the same request with that token. */
export interface CursorPaging<P extends ListParams = ListParams> {
  readonly style: 'cursor'
  readonly params: P
  /** The param that carries the token. */
  readonly cursor: string
  /** Where the answer holds the next token; only absent or null, there or on the way there, means the end. */
  readonly next: AnswerPath
  /** Where systems that give a token even on the last page say that there is more. */
  readonly more?: AnswerPath
  /** Where `more` is the address of the next page: its query parameter with the token, for answers without `next`. */
  readonly moreQuery?: string
  /** The page size param, what to ask for when the caller does not say, and the most that is asked for whatever they say. */
  readonly limit?: {
    readonly param: string
    readonly default: number
    readonly smallest: number
    readonly largest?: number
  }
  readonly block: PagingBlock
  /** Where the answer tells how many records all pages together have. */
  readonly total?: AnswerPath
}

/** Pages are numbered from 1; the answer tells how many there are. */
export interface PageNumberPaging<P extends ListParams = ListParams> {
  readonly style: 'page number'
  readonly params: P
  readonly page: string
  readonly size: { readonly param: string; readonly default: number }
  /** Where the answer holds the number of pages. */
  readonly pages: AnswerPath
  readonly block: PagingBlock
}

/** The system pages, but the list has no paging params: one call walks all pages, and fails rather than cut. */
export interface WalkPaging {
  readonly style: 'walk'
  readonly params: Record<never, never>
  readonly cursor: string
  readonly next: AnswerPath
  readonly block?: PagingBlock
  /** Where the answer tells how many records all pages together have. */
  readonly total?: AnswerPath
}

/** The system answers everything at once; the caller's `limit` and `offset` are served from that answer. */
export interface WholePaging<P extends ListParams = ListParams> {
  readonly style: 'whole'
  readonly params: P
  readonly limit: string
  readonly offset: string
  /** The record field that tells one record from another. */
  readonly identity: string
  /** The size at which the system cuts its answer without a sign, and the sentence that warns of it. */
  readonly cut?: { readonly at: number; readonly warning: string }
  readonly blockName: string
}

/** The system never pages, but sorts by a time and filters on it: each page asks for what lies beyond the last record. */
export interface TimePaging<P extends ListParams = ListParams> {
  readonly style: 'time'
  readonly params: P
  readonly limit: string
  readonly offset: string
  /** The most records that the system gives in one answer. */
  readonly size: number
  readonly identity: string
  /** The record field with the time, and the params that bound it. */
  readonly time: { readonly field: string; readonly before: string; readonly after: string }
  /** The params that choose the order, and the value that means "by this time". */
  readonly sort: { readonly param: string; readonly byTime: string; readonly ascending: string }
  /** Said when an answer was cut and no next page can be given. */
  readonly cutWarning: string
  readonly blockName: string
}

export type Paging = NoPaging | CursorPaging | PageNumberPaging | WalkPaging | WholePaging | TimePaging

export const noPaging: NoPaging = { style: 'none', params: {} }

export const cursorPaging = <const P extends ListParams>(paging: Omit<CursorPaging<P>, 'style'>): CursorPaging<P> => ({
  style: 'cursor',
  ...paging,
})

export const pageNumberPaging = <const P extends ListParams>(
  paging: Omit<PageNumberPaging<P>, 'style'>,
): PageNumberPaging<P> => ({ style: 'page number', ...paging })

export const walkPaging = (paging: Omit<WalkPaging, 'style' | 'params'>): WalkPaging => ({
  style: 'walk',
  params: {},
  ...paging,
})

export const wholePaging = <const P extends ListParams>(paging: Omit<WholePaging<P>, 'style'>): WholePaging<P> => ({
  style: 'whole',
  ...paging,
})

export const timePaging = <const P extends ListParams>(paging: Omit<TimePaging<P>, 'style'>): TimePaging<P> => ({
  style: 'time',
  ...paging,
})

/** How one page of answers leads to the next: the param that asks for it, and the JSON Pointer into the answer to its value. */
export interface PageLink {
  readonly param: string
  readonly next: string
}

/** The link of a style, as it shows in an answer; null where an answer is always the last. */
export function pageLink(paging: Paging): PageLink | null {
  switch (paging.style) {
    case 'none':
    case 'walk':
      return null
    case 'cursor':
      return { param: paging.cursor, next: pointerTo(paging.block, paging.next) }
    case 'page number':
      return { param: paging.page, next: pointerTo(paging.block, paging.pages) }
    case 'whole':
    case 'time':
      return { param: paging.offset, next: `/connector_metadata/${paging.blockName}/${paging.offset}` }
  }
}

/** Where a block holds the token that the system's own answer has at `path`. */
function pointerTo(block: PagingBlock, path: AnswerPath): string {
  const start = `/connector_metadata/${block.name}`
  if (block.holds === 'token') return start
  return [start, ...(block.token === undefined ? path.slice(block.at.length) : [block.token])].join('/')
}
