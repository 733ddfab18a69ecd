/** Places in the order of a query. */
import { valueAt } from './evaluate.ts'
import { compare, compareTexts, innerSortKey, sortKey } from './order.ts'
import type { Path, Query, Scalar, SearchRecord } from './query.ts'

/** The last hit's place in the order: what it was sorted by (without `sort` its score), and its id. */
export interface Position {
  readonly keys: readonly (Scalar | null)[]
  readonly id: string
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
