/** A complete search over records in memory: slow, plain, and the reference for every database. */
import { type CursorScope, type Position, readCursor, writeCursor } from './cursor.ts'
import { scoreOf, testOf, valueAt } from './evaluate.ts'
import { compare, compareTexts, innerSortKey, sortKey } from './order.ts'
import { projection } from './project.ts'
import type { Hit, Path, Query, Scalar, Searchable, SearchRecord } from './query.ts'

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
  const pick = projection(query.fields)
  return {
    hits: page.map(({ record, score }) => ({ id: record.id, score, data: pick(record.data) })),
    nextCursor: found.length > page.length ? writeCursor(scope, query, page.at(-1)!.position) : null,
  }
}

/** A hit's place in the order of the query. */
export function positionOf({ sort }: Pick<Query, 'sort'>, record: SearchRecord, score: number): Position {
  const keys = sort.length === 0 ? [score] : sort.map(({ path }) => keyOf(record.data, path))
  return { keys, id: record.id }
}

function keyOf(data: SearchRecord['data'], path: Path): Scalar | null {
  const value = valueAt(data, path)
  if (path.length > 1) return innerSortKey(value)
  return typeof value === 'string' ? sortKey(value) : (value as Scalar | null)
}

/** Which of two positions comes first: nulls last in both directions, ties by id. */
export function orderOf({ sort }: Pick<Query, 'sort'>): (one: Position, other: Position) => number {
  const descending = sort.length === 0 ? [true] : sort.map((key) => key.descending)
  return (one, other) => {
    for (const [index, down] of descending.entries()) {
      const a = one.keys[index]!
      const b = other.keys[index]!
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1
      } else {
        // Different types here can only be numbers and texts.
        const difference = compare(a, b) ?? (typeof a === 'string' ? 1 : -1)
        if (difference !== 0) return down ? -difference : difference
      }
    }
    return compareTexts(one.id, other.id)
  }
}
