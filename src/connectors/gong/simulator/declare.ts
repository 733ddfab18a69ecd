/** The language of the addresses here, and pages of a hundred. */
import { cursorPages, type Page, routesOver } from '../../../kit/simulator.ts'
import type { CallFacts } from './calls.ts'
import { refuse } from './replies.ts'
import type { World } from './world.ts'

/** Callers are told apart by their scopes alone. */
export interface Caller {
  readonly scopes: readonly string[]
}

export const { route, list, filter } = routesOver<World, Caller>()

/** Cursors that end an hour after the first page. */
export const byIndex = <R extends { readonly index: number }>() =>
  cursorPages<R>({
    cursor: 'cursor',
    usual: 100,
    position: ({ index }) => String(index).padStart(9, '0'),
    life: { seconds: 3600, from: 'first page' },
  })

/** A page under the name of its records; with words, one without records is "not found". */
export const paged =
  (name: string, none?: string) =>
  (shown: readonly unknown[], page: Pick<Page<never>, 'total' | 'number' | 'next'>): object => {
    if (shown.length === 0 && none !== undefined) refuse(404, none)
    const records = { totalRecords: page.total(), currentPageSize: shown.length, currentPageNumber: page.number - 1 }
    return { records: { ...records, ...(page.next !== null && { cursor: page.next }) }, [name]: shown }
  }

/** A call in Gong's form, with what changes on demand have made of it; its brief is part of its contents. */
export function metaData({ calls, edits }: World, call: CallFacts): Record<string, unknown> {
  const { brief: _, ...edited } = edits.get(call.id) ?? {}
  return { ...calls.metaData(call), ...edited }
}
