/** Orders and places in them as SQL. */
import type { Position } from '../../search/cursor.ts'
import { valueAt } from '../../search/evaluate.ts'
import { innerSortKey } from '../../search/order.ts'
import type { Json, Scalar, SortKey } from '../../search/query.ts'
import { type Column, type CopyTable, inDocument } from './copy-table.ts'
import { always, type Bound, type Fragment, joined, keyOf } from './search-condition.ts'

/** What hits are sorted by. */
export interface SortTerm {
  /** The key as an expression. */
  readonly key: string
  readonly descending: boolean
  /** The column whose index has the order; null where the key stands inside an object. */
  readonly column: Column | null
}

export type SortColumn = SortTerm & { readonly column: Column }

/** The key that an object gives its record. */
export type InnerKey = (object: Json) => ReturnType<typeof innerSortKey>

/** The term of a sort; a key inside an object is added to `keys`, which SQL asks for by its place there. */
export function sortTerm(
  table: CopyTable,
  { path: [field, ...inside], descending }: SortKey,
  keys: InnerKey[],
): SortTerm {
  const column = table.columns.get(field)
  if (column !== undefined) return { key: keyOf(column), descending, column }
  // SQLite finds plain keys sooner than a whole object is read.
  const isPlain = inside.every((name) => /^\w+$/.test(name))
  const found = isPlain ? [field, ...inside] : [field]
  const left = isPlain ? [] : inside
  const place = keys.push((value) => innerSortKey(valueAt(value, left))) - 1
  return { key: `inner_key(${place}, ${inDocument(...found)})`, descending, column: null }
}

/** Nulls last in both directions, ties by id. Where the first column is known to have values, or one or none alone, an index gives the order. */
export function orderBy(sort: readonly SortTerm[], first: 'values' | 'nulls' | 'either' = 'either'): string {
  const keys = sort.flatMap(({ key, descending }, place) => {
    const directed = `${key}${descending ? ' desc' : ''}`
    if (place > 0 || first === 'either') return [`${directed} nulls last`]
    return first === 'values' ? [directed] : []
  })
  return [...keys, 't._id'].join(', ')
}

/** True of what comes after the position. */
export function afterPosition(sort: readonly SortTerm[], after: Position | null): Fragment {
  if (after === null) return always
  // The last key that differs decides: each alternative has all keys before it equal.
  const alternatives: Fragment[] = []
  const equal: Fragment[] = []
  for (const [place, { key, descending }] of sort.entries()) {
    const value = bound(after.keys[place]!)
    if (value === null) equal.push({ sql: `${key} is null`, params: [] })
    else {
      const beyond = { sql: `(${key} ${descending ? '<' : '>'} ? or ${key} is null)`, params: [value] }
      alternatives.push(joined('and', [...equal, beyond]))
      equal.push({ sql: `${key} = ?`, params: [value] })
    }
  }
  alternatives.push(joined('and', [...equal, { sql: 't._id > ?', params: [after.id] }]))
  return joined('or', alternatives)
}

/** The same for hits by score. */
export function afterScore(score: Fragment, after: Position | null): Fragment {
  if (after === null) return always
  const value = bound(after.keys[0]!)
  return {
    sql: `(${score.sql} < ? or (${score.sql} = ? and t._id > ?))`,
    params: [...score.params, value, ...score.params, value, after.id],
  }
}

/** Where along the index of the first column to go on. */
export function startOfOrder([first, ...others]: readonly SortColumn[], after: Position | null): Fragment {
  const value = after === null ? null : bound(after.keys[0]!)
  if (first === undefined || after === null || value === null) return always
  const { key } = first
  // Upwards the index goes on within one value by id, so that the records before the place need not be walked over again.
  if (!first.descending && others.length === 0) return { sql: `(${key}, t._id) > (?, ?)`, params: [value, after.id] }
  return { sql: `${key} ${first.descending ? '<=' : '>='} ?`, params: [value] }
}

const bound = (key: Scalar | null): Bound => (typeof key === 'boolean' ? Number(key) : key)
