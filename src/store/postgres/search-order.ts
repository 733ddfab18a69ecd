/** Orders and places in them as SQL. */
import type { Position } from '../../search/cursor.ts'
import type { Scalar } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'
import type { Column } from './copy-table.ts'
import { compared, equal, keyOf } from './search-columns.ts'

export interface SortColumn {
  readonly column: Column
  readonly descending: boolean
}

/** Nulls last in both directions, ties by id. Where the first column is known to have values, an index gives the order. */
export function orderBy(sort: readonly SortColumn[], first: 'values' | 'either' = 'either'): string {
  const keys = sort.flatMap(({ column, descending }, place) => {
    const key = `${keyOf(column)}${descending ? ' desc' : ''}`
    if (place > 0 || first === 'either') return [`${key} nulls last`]
    return [key]
  })
  return [...keys, 't._id'].join(', ')
}

/** True of what comes after the position. */
export function afterPosition(bind: Bindings, sort: readonly SortColumn[], after: Position | null): string {
  if (after === null) return 'true'
  // The last key that differs decides: each alternative has all keys before it equal.
  const alternatives: string[] = []
  const same: string[] = []
  for (const [place, { column, descending }] of sort.entries()) {
    const value = after.keys[place]!
    if (value === null) same.push(`${keyOf(column)} is null`)
    else {
      const beyond = `(${beside(bind, column, descending ? 'lt' : 'gt', value)} or ${keyOf(column)} is null)`
      alternatives.push([...same, beyond].join(' and '))
      same.push(beside(bind, column, 'eq', value))
    }
  }
  alternatives.push([...same, `t._id > ${bind.add(after.id)}`].join(' and '))
  return `(${alternatives.map((one) => `(${one})`).join(' or ')})`
}

/** The same for hits by score. */
export function afterScore(bind: Bindings, score: string, after: Position | null): string {
  if (after === null) return 'true'
  const value = bind.add(String(after.keys[0]!), 'float8')
  return `(${score} < ${value} or (${score} = ${value} and t._id > ${bind.add(after.id)}))`
}

/** Where along the index of the first column to go on. */
export function startOfOrder(bind: Bindings, [first]: readonly SortColumn[], after: Position | null): string {
  const value = after?.keys[0] ?? null
  if (first === undefined || value === null) return 'true'
  return beside(bind, first.column, first.descending ? 'lte' : 'gte', value)
}

/** Compares with the key of a text as it is, since that is what a position holds. */
export function beside(bind: Bindings, column: Column, op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte', value: Scalar): string {
  if (typeof value === 'string')
    return `${keyOf(column)} ${{ eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }[op]} ${bind.add(value)}`
  return op === 'eq' ? equal(bind, column, value) : compared(bind, column, op, value)
}
