/** How large the pages of a walk are, where one that was too much made them smaller. */
import type { Paging } from '../../catalog/paging.ts'
import type { Params } from '../../catalog/rules.ts'

/** So many pages in a row have to come at a size before twice as much is tried: each try that fails costs a request. */
const pagesAtSize = 3

/**
 * Gives the params of the next page with a size that goes back to that of the first page. `asked` are the params of the page
 * before it, `next` those that it gave.
 */
export function growingBack(paging: Paging, first: Params): (asked: Params, next: Params) => Params {
  if (paging.style !== 'cursor' || paging.limit === undefined) return (_asked, next) => next
  const { param, default: usual, largest = Number.POSITIVE_INFINITY } = paging.limit
  const sizeOf = (params: Params): number => Math.min(largest, Number(params[param] ?? usual))
  let came = 0
  return (asked, next) => {
    const size = sizeOf(next)
    came = size < sizeOf(asked) ? 1 : came + 1
    if (size >= sizeOf(first) || came < pagesAtSize) return next
    came = 0
    return { ...next, [param]: Math.min(sizeOf(first), size * 2) }
  }
}
