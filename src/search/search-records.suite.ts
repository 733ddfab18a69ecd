/** A complete search over records in memory: plain, and the reference for every database. */
import { type CursorScope, readCursor, writeCursor } from './cursor.ts'
import { scoreOf, testOf } from './evaluate.ts'
import { orderOf, positionOf } from './position.ts'
import { projection } from './project.ts'
import type { Hit, Query, Searchable, SearchRecord } from './query.ts'

export interface Page {
  readonly hits: readonly Hit[]
  readonly nextCursor: string | null
}

/** The hits of a query among the records, in order, after its cursor, at most `limit`. */
export function searchRecords(
  records: Iterable<SearchRecord>,
  scope: CursorScope,
  searchable: Searchable,
  query: Query,
): Page {
  const after = readCursor(scope, searchable, query)
  const test = testOf(query.filter)
  const score = scoreOf(query.filter)
  const order = orderOf(query)
  const found = [...records]
    .filter(({ data }) => test(data))
    .map((record) => ({ record, score: score(record.data) }))
    .map((hit) => ({ ...hit, position: positionOf(query, hit.record, hit.score) }))
    .filter(({ position }) => after === null || order(position, after) > 0)
    .sort((one, other) => order(one.position, other.position))
  const page = found.slice(0, query.limit)
  const pick = query.fields === null ? (data: SearchRecord['data']) => data : projection(query.fields)
  return {
    hits: page.map(({ record, score }) => ({ id: record.id, score, data: pick(record.data) })),
    nextCursor: found.length > page.length ? writeCursor(scope, query, page.at(-1)!.position) : null,
  }
}
