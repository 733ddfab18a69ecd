/** How third-party systems page: a closed set of named styles. Each style adds its own list params. */
import type { TSchema } from 'typebox'

type ListParams = Record<string, TSchema>

/** A place in an answer, key by key. */
export type AnswerPath = readonly string[]

/** The paging block beside the records of a list. */
export type PagingBlock =
  /** `{[name]: <the next page token or null>}`, and beside it what the answer has at other places, or null. */
  | { readonly name: string; readonly holds: 'token'; readonly beside?: Readonly<Record<string, AnswerPath>> }
  /** `{[name]: <the system's own object found at the path, or null>}`; `token` names the key that is null at the end. */
  | {
      readonly name: string
      readonly holds: 'object'
      readonly at: AnswerPath
      readonly token?: string
      /** Adjusts the object to the number of records that the caller gets; it is null if the system sent none. */
      readonly counted?: (found: Readonly<Record<string, unknown>> | null, records: number) => object
    }

/** One answer contains everything, and the list takes no paging params. */
export interface NoPaging {
  readonly style: 'none'
  readonly params: Record<never, never>
}

/** The places of the page's own number, from 1, and of the number of the last page. */
export interface NumberedPages {
  readonly page: AnswerPath
  readonly pages: AnswerPath
}

/** The answer contains an opaque token; the next page is the same request with that token. */
export interface CursorPaging<P extends ListParams = ListParams> {
  readonly style: 'cursor'
  readonly params: P
  /** The param that carries the token. */
  readonly cursor: string
  /** The place of the next token. Only an absent or null value, at this place or above it, means the last page. */
  readonly next: AnswerPath | NumberedPages
  /** For systems that end a list with an empty token. */
  readonly blankEnds?: true
  /**
   * For lists in the order of an identifier, of which a param reads those beyond the last one: the field of the last
   * record that is the token. No record moves from one page to another, and there is no limit to the pages.
   */
  readonly lastOf?: string
  /**
   * The place that says whether there are more pages, for systems that send a token even on the last page: true or
   * false, or the address of the next page, which the last one lacks.
   */
  readonly more?: AnswerPath
  /** With `more`: the token is a whole number, the count of records before the next page. */
  readonly counts?: boolean
  /** If `more` is the address of the next page: the query parameter with the token, for answers without `next`. */
  readonly moreQuery?: string
  /** The page size param, its default, and the maximum to request, whatever the caller asks for. */
  readonly limit?: {
    readonly param: string
    readonly default: number
    readonly smallest: number
    readonly largest?: number
  }
  readonly block: PagingBlock
  /** The place of the total number of records, on all pages together. */
  readonly total?: AnswerPath
}

/**
 * The system pages, but the list has no paging params: one call reads all pages, and fails rather than return only
 * some.
 */
export interface WalkPaging extends Pick<CursorPaging, 'cursor' | 'next' | 'blankEnds' | 'block' | 'total'> {
  readonly style: 'walk'
  readonly params: Record<never, never>
}

/** The system answers everything at once; Conex applies the caller's `limit` and `offset` to that answer. */
export interface WholePaging<P extends ListParams = ListParams> {
  readonly style: 'whole'
  readonly params: P
  readonly limit: string
  readonly offset: string
  /** The size at which the system truncates its answer without a sign, and the sentence that warns about it. */
  readonly cut?: { readonly at: number; readonly warning: string }
  readonly blockName: string
}

/** The system never pages, but sorts and filters by a time: each page asks for the records beyond the last one. */
export interface TimePaging<P extends ListParams = ListParams> {
  readonly style: 'time'
  readonly params: P
  readonly limit: string
  readonly offset: string
  /** The maximum number of records in one answer of the system. */
  readonly size: number
  /** The record field with the time, and the params that bound it. */
  readonly time: { readonly field: string; readonly before: string; readonly after: string }
  /** The params that select the order, and the value that means "by this time". */
  readonly sort: { readonly param: string; readonly byTime: string; readonly ascending: string }
  /** The message when an answer was truncated and there is no way to read the next page. */
  readonly cutWarning: string
  readonly blockName: string
}

export type Paging = NoPaging | CursorPaging | WalkPaging | WholePaging | TimePaging

export const noPaging: NoPaging = { style: 'none', params: {} }

export const cursorPaging = <const P extends ListParams>(paging: Omit<CursorPaging<P>, 'style'>): CursorPaging<P> => ({
  style: 'cursor',
  ...paging,
})

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

/** How to get from one page to the next: the param for it, and the JSON Pointer to its value in the answer. */
export interface PageLink {
  readonly param: string
  readonly next: string
}

/** The link of a style, as answers contain it; null if every answer is the last one. */
export function pageLink(paging: Paging): PageLink | null {
  switch (paging.style) {
    case 'none':
    case 'walk':
      return null
    case 'cursor':
      return { param: paging.cursor, next: pointerTo(paging.block, paging.next) }
    case 'whole':
    case 'time':
      return { param: paging.offset, next: `/connector_metadata/${paging.blockName}/${paging.offset}` }
  }
}

/** The place of the token in a block, if the system's own answer has it at `path`. */
function pointerTo(block: PagingBlock, path: CursorPaging['next']): string {
  const start = `/connector_metadata/${block.name}`
  if (block.holds === 'token' || 'page' in path) return start
  return [start, ...(block.token === undefined ? path.slice(block.at.length) : [block.token])].join('/')
}
