/** How large the pages of a list are, as far as the system takes them: learnt from one page for all that follow. */
import type { Paging } from '../../catalog/paging.ts'
import type { Query } from './page.ts'

/** So many pages in a row have to come at a size before twice as much is tried: each try that fails costs a request. */
const pagesAtSize = 3

/** The size learnt for one list while it is read: page after page, or for many parents. */
export class PageSize {
  readonly #wanted: number
  #size: number
  #came = 0
  /** Doubles with each try that failed, so that a list which takes no more is hardly ever tried again. */
  #patience = pagesAtSize
  #beforeBroken: number | undefined

  constructor(wanted: number, size = wanted) {
    this.#wanted = wanted
    this.#size = size
  }

  /** The size to ask for. */
  next(): number {
    return this.#came < this.#patience ? this.#size : Math.min(this.#wanted, this.#size * 2)
  }

  came(size: number): void {
    this.#came = size === this.#size ? this.#came + 1 : 1
    this.#size = size
  }

  /** The size asked for was refused: as too large, or for one record on the page. */
  shrink(smaller: number, recordBroken: boolean): void {
    if (recordBroken) this.#beforeBroken ??= this.#size
    else if (this.#came >= this.#patience) this.#patience *= 2
    this.#size = smaller
    this.#came = 0
  }

  /** The broken record is behind: the pages after it can be as large as those before. */
  steppedOver(): void {
    this.#size = this.#beforeBroken ?? this.#size
    this.#beforeBroken = undefined
  }
}

/** For the pages of a list from `start` on, where a walk may have left a smaller size than it began with. */
export function pageSizeOf(paging: Paging, first: Query, start: Query = first): PageSize | undefined {
  if (paging.style !== 'cursor' || paging.limit === undefined) return undefined
  const { param, default: usual, largest = Number.POSITIVE_INFINITY } = paging.limit
  const sizeOf = (query: Query): number => Math.min(largest, Number(query[param] ?? usual))
  return new PageSize(sizeOf(first), sizeOf(start))
}
