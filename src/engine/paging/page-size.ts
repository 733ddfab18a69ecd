/** The page size that the system accepts for a list, learnt from one page for all later ones. */
import type { CursorPaging, Paging } from '../../catalog/paging.ts'
import { PageTooLarge, RecordBroken } from '../recoverable-refusal.ts'
import type { Query } from './page.ts'

/** This many pages in a row must succeed before twice the size is tried, because a failed try costs a request. */
const pagesAtSize = 3

/** The size learnt for one list while it is read: page after page, or for many parents. */
export class PageSize {
  readonly #limit: NonNullable<CursorPaging['limit']>
  readonly #wanted: number
  #size: number
  #came = 0
  /** Doubles with each try that failed, so that a list which takes no more is hardly ever tried again. */
  #patience = pagesAtSize
  #beforeBroken: number | undefined

  /** For the pages of a list from `start` on, where a walk may have left a smaller size than it began with. */
  constructor(limit: NonNullable<CursorPaging['limit']>, first: Query, start: Query) {
    const sizeOf = (query: Query): number =>
      Math.min(limit.largest ?? Number.POSITIVE_INFINITY, Number(query[limit.param] ?? limit.default))
    this.#limit = limit
    this.#wanted = sizeOf(first)
    this.#size = sizeOf(start)
  }

  get #isPatient(): boolean {
    return this.#came < this.#patience
  }

  /** Asks for a page, and again with half as many records where the system finds it too large. */
  async ask<P>(query: Query, fetch: (sized: Query, canShrink: boolean) => Promise<P>): Promise<P> {
    const { param, smallest } = this.#limit
    for (let asked = this.#isPatient ? this.#size : Math.min(this.#wanted, this.#size * 2); ; asked = this.#size) {
      try {
        const page = await fetch({ ...query, [param]: asked }, asked > smallest)
        this.#came = asked === this.#size ? this.#came + 1 : 1
        this.#size = asked
        return page
      } catch (error) {
        if (!(error instanceof PageTooLarge) || asked <= smallest) throw error
        if (error instanceof RecordBroken) this.#beforeBroken ??= this.#size
        else if (!this.#isPatient) this.#patience *= 2
        this.#size = Math.max(smallest, Math.floor(asked / 2))
        this.#came = 0
      }
    }
  }

  /** The broken record is behind: the pages after it can be as large as those before. */
  steppedOver(): void {
    this.#size = this.#beforeBroken ?? this.#size
    this.#beforeBroken = undefined
  }
}

/** The size to begin with, where the system's pages have one. */
export const pageSizeOf = (paging: Paging, first: Query, start: Query = first): PageSize | undefined =>
  paging.style === 'cursor' && paging.limit !== undefined ? new PageSize(paging.limit, first, start) : undefined
