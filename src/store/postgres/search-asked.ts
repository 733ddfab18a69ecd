/** What every way of searching is given. */
import { type CursorScope, type Position, readCursor } from '../../search/cursor.ts'
import type { Query } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import type { Session } from './database.ts'
import type { Row } from './search-hits.ts'
import type { SortColumn } from './search-order.ts'
import type { WordShares } from './search-shares.ts'

export interface SearchedCopy extends CursorScope {
  readonly number: number
  readonly records: number
}

export interface FoundRow {
  readonly row: Row
  readonly score: number
}

/** What every way of searching needs. */
export interface Search {
  readonly session: Session
  /** For statements that have one plan, whatever the values. */
  readonly kept: Session
  readonly table: CopyTable
  readonly copy: SearchedCopy
  /** Null when they are not known. */
  readonly shares: WordShares | null
  readonly query: Query
  readonly after: Position | null
  /** Throws when the search has to end. */
  readonly tick: () => void
}

/** The search with the place at which it goes on. */
export function begun(asked: Omit<Search, 'after'>): Search {
  const { table, copy, query } = asked
  return { ...asked, after: readCursor(copy, table.searchable, query) }
}

/** The columns that the query sorts by; null where it sorts by what stands inside an object, of which SQL does not know the order. */
export function sortOf({ table, query }: Search): SortColumn[] | null {
  const sort = query.sort.flatMap(({ path: [field], descending }) => {
    const column = table.columns.get(field)
    return column === undefined ? [] : [{ column, descending }]
  })
  return sort.length === query.sort.length ? sort : null
}

/** More than this make a difference to how the database goes about it. */
const manyRecords = 5000

/** Leaves the other copies out. The database is shown the number of a large one, from which it knows how large it is. */
export const isOfCopy = ({ copy }: Search, bind: Bindings): string =>
  `t._copy = ${copy.records > manyRecords ? copy.number : bind.add(copy.number, 'int4')}`
