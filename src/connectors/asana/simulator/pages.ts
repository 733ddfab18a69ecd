/** Shows a list, whole or in pages, with the pointer to the next page. */
import type { List, Row } from './lists.ts'
import { readOffset, writeOffset } from './offsets.ts'
import type { Params } from './params.ts'
import { messages, refuse } from './refusals.ts'
import type { View, Writer } from './shapes.ts'

/** The maximum number of records in an answer without pages. */
const unpagedCeiling = 1000

export interface Page {
  readonly limit: number | undefined
  /** The rank after which the page begins. */
  readonly after: number
}

/** Query parameters that shape the answer but do not identify the list. */
const notFilters = new Set(['limit', 'offset', 'opt_fields', 'opt_pretty'])

function listName(path: string, params: Params): string {
  const filters = params.pairs.filter((pair) => !notFilters.has(pair.name))
  return `${path}?${filters
    .map((pair) => `${pair.name}=${pair.value}`)
    .sort()
    .join('&')}`
}

/** Reads limit and offset, and refuses the same values as the real system. */
export function readPage(path: string, params: Params, now: number): Page {
  const limit = params.limit()
  const offset = params.get('offset')
  if (offset === undefined) return { limit, after: Number.NEGATIVE_INFINITY }
  if (limit === undefined) refuse(400, messages.badOffset)
  return { limit, after: readOffset(offset, listName(path, params), now) }
}

export interface Shown {
  readonly data: Record<string, unknown>[]
  readonly next_page?: { offset: string; path: string; uri: string } | null
}

export interface Showing<T> {
  readonly list: List<T>
  readonly page: Page
  readonly path: string
  readonly params: Params
  readonly write: Writer<T>
  readonly view: View
  /** The address that `path` is below. */
  readonly baseUrl: string
}

export function showPage<T>({ list, page, path, params, write, view, baseUrl }: Showing<T>): Shown {
  const data: Record<string, unknown>[] = []
  if (page.limit === undefined) {
    for (const row of list(page.after)) {
      if (data.length === unpagedCeiling) refuse(400, messages.tooLarge)
      data.push(write(row.record, view))
    }
    return { data }
  }
  let last: Row<T> | undefined
  for (const row of list(page.after)) {
    if (data.length === page.limit && last !== undefined) {
      const offset = writeOffset(last.rank, listName(path, params), view.now)
      const kept = params.pairs
        .filter((pair) => pair.name !== 'limit' && pair.name !== 'offset')
        .map((pair) => pair.raw)
      const next = `${path}?${[...kept, `limit=${page.limit}`, `offset=${offset}`].join('&')}`
      return { data, next_page: { offset, path: next, uri: `${baseUrl}${next}` } }
    }
    data.push(write(row.record, view))
    last = row
  }
  return { data, next_page: null }
}
