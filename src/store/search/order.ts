/** Orders, and positions in them, as SQL. */
import { keyAsText } from '../../search/order.ts'
import type { Position } from '../../search/position.ts'
import type { Scalar } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'
import { valueTypes } from './columns.ts'
import type { SearchDialect, SearchedColumn } from './dialect.ts'

export interface SortColumn {
  readonly column: SearchedColumn
  readonly descending: boolean
}

/** Nulls last in both directions, ties by id. If the first column always has values, an index gives the order. */
export function orderBy(
  dialect: SearchDialect,
  sort: readonly SortColumn[],
  first: 'values' | 'either' | 'sorted',
): string {
  const keyOf = (key: string, place: number) => (place === 0 && first === 'sorted' ? dialect.sorted(key) : key)
  const keys = sort.map(({ column, descending }, place) => {
    const key = `${keyOf(dialect.key(column), place)}${descending ? ' desc' : ''}`
    return place === 0 && first === 'values' ? key : `${key} nulls last`
  })
  return [...keys, keyOf('t._id', sort.length)].join(', ')
}

/** True for everything after the position. */
export function afterPosition(
  dialect: SearchDialect,
  bind: Bindings,
  sort: readonly SortColumn[],
  after: Position | null,
): string {
  if (after === null) return 'true'
  // The last key that differs decides: in each alternative, all keys before it are equal.
  const alternatives: string[] = []
  const same: string[] = []
  for (const [place, { column, descending }] of sort.entries()) {
    const key = dialect.key(column)
    const value = after.keys[place]!
    if (value === null) same.push(`${key} is null`)
    else {
      const bound = boundKey(bind, column, value)
      alternatives.push([...same, `(${key} ${descending ? '<' : '>'} ${bound} or ${key} is null)`].join(' and '))
      same.push(`${key} = ${bound}`)
    }
  }
  alternatives.push([...same, `t._id > ${bind.add(after.id)}`].join(' and '))
  return `(${alternatives.map((one) => `(${one})`).join(' or ')})`
}

/**
 * The place of the position in the index of the first column, so that the search does not read earlier entries again.
 */
export function startOfOrder(
  dialect: SearchDialect,
  bind: Bindings,
  [first]: readonly SortColumn[],
  after: Position | null,
): string {
  const value = after?.keys[0] ?? null
  if (first === undefined || value === null) return 'true'
  return `${dialect.key(first.column)} ${first.descending ? '<=' : '>='} ${boundKey(bind, first.column, value)}`
}

/** A position contains the key of a text as it is. */
export const boundKey = (bind: Bindings, { type }: SearchedColumn, key: Scalar): string =>
  bind.add(type === 'inner' ? keyAsText(key) : key, valueTypes[type])

/** Leaves out other copies. */
export const isOfCopy = ({ copy }: SearchDialect, bind: Bindings): string =>
  `t._copy = ${bind.add(copy.number, 'int4')}`
