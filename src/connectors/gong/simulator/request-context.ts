/** The context of a call: the request, and the data for its answer. */
import type { Company } from './company.ts'
import type { Json, Period } from './inputs.ts'
import type { Page, Pages, Row } from './pages.ts'
import { messages, refuse } from './replies.ts'

export interface RequestContext {
  readonly company: Company
  readonly pages: Pages
  readonly now: number
  readonly filesOrigin: string
  /** The last segment of the path, if the route ends in an id. */
  readonly id: string
  readonly query: ReadonlyMap<string, string>
  /** The body of a POST; empty otherwise. */
  readonly body: Json
  /** Refuses the call unless its credentials have the scope. */
  need(scope: string): void
}

/** A page of candidates; `asked` is everything that must stay the same from page to page. */
export function pageOf<T>(context: RequestContext, row: Row<T>, asked: unknown, cursor: unknown): Page<T> {
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') refuse(400, messages.badCursor)
  return context.pages.page(row, asked, cursor ?? undefined)
}

/** A list in memory, as a row. */
export const rowOf = <T>(all: readonly T[]): Row<T> => ({
  first: 0,
  end: all.length,
  match: (index) => all[index] ?? null,
})

/** Candidates by index for a period, cut to the existing ones. */
export function span(
  { company: { calls }, now }: RequestContext,
  { from, to }: Period,
): { first: number; end: number } {
  const first = Math.max(calls.first(), Number.isFinite(from) ? calls.indexAt(from) : 0)
  return { first, end: Math.max(first, calls.indexAt(Math.min(to, now))) }
}
