/** Cursors and the addresses of neighbouring pages. */

import type { Params } from './params.ts'
import { invalidParameter, refuse } from './replies.ts'

/** A position in base64, its padding written as ZD: `MAZDZD` is 0. */
export const cursorOf = (position: number): string =>
  Buffer.from(String(position)).toString('base64').replaceAll('=', 'ZD')

/** The position of a cursor; undefined if it is not a cursor. */
export function readCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor.replace(/(ZD)+$/, ''), 'base64').toString('latin1')
  return /^\d{1,12}$/.test(text) && cursorOf(Number(text)) === cursor ? Number(text) : undefined
}

/** The position to start at: 0, or the one after `after`. */
export function startOf(
  params: Params,
  onFault = invalidParameter('Invalid cursors values: please pass a valid after cursor'),
): number {
  const after = params.get('after')
  if (after === undefined || after === '') return 0
  const position = readCursor(after)
  return position === undefined ? refuse(onFault) : position + 1
}

export interface PageBounds {
  /** Positions of the first and the last record of the page; null for an empty page. */
  readonly first: number
  readonly last: number | null
  readonly more: boolean
}

/** `{data, paging}`: cursors with every page that is not empty, `next` only if there is more. */
export function pageBody(data: readonly unknown[], bounds: PageBounds, params: Params, address: string): unknown {
  const { first, last, more } = bounds
  if (last === null && !more) return { data }
  const after = cursorOf(last ?? first)
  const link = (name: 'after' | 'before', cursor: string): string => {
    const query = new URLSearchParams([...params.all].filter(([key]) => key !== 'after' && key !== 'before'))
    query.set(name, cursor)
    return `${address}?${query}`
  }
  return {
    data,
    paging: {
      cursors: { before: cursorOf(first), after },
      ...(more ? { next: link('after', after) } : {}),
      ...(params.get('after') === undefined ? {} : { previous: link('before', cursorOf(first)) }),
    },
  }
}
