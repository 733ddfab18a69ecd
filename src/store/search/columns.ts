/** Compares columns with values so that their indexes can be used. Where the field is null, so is the comparison. */
import type { Beginnings, Comparison } from '../../search/comparison.ts'
import { isShortText, keyAsText, sortKey, textKey, textMark } from '../../search/order.ts'
import type { Json, Scalar } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'
import type { SearchDialect, SearchedColumn } from './dialect.ts'

export const symbols = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The types of columns. */
export const valueTypes = {
  string: 'text',
  integer: 'int8',
  number: 'float8',
  boolean: 'boolean',
  inner: 'text',
} as const

/** The comparison of a column as SQL. */
export function columnMeets(
  dialect: SearchDialect,
  bind: Bindings,
  column: SearchedColumn,
  leaf: Comparison | Beginnings,
): string {
  if (column.type === 'inner') return innerMeets(dialect, bind, column, leaf as Comparison)
  if (leaf.op === 'in') return among(dialect, bind, column, leaf)
  if (leaf.op === 'begins') {
    const ranges = leaf.texts.map((text) => begins(dialect, bind, column, text))
    return ranges.length === 0 ? 'false' : `(${ranges.join(' or ')})`
  }
  return compared(dialect, bind, column, leaf.op, leaf.value)
}

/** Compares short texts inside objects, which is all that such a column is asked. */
function innerMeets(dialect: SearchDialect, bind: Bindings, column: SearchedColumn, leaf: Comparison): string {
  const key = dialect.key(column)
  const written = (value: Json) => keyAsText(textKey(value as string))
  if (leaf.op === 'in') return dialect.oneOf(bind, key, leaf.values.map(written), 'text')
  const compared = `${key} ${symbols[leaf.op]} ${bind.add(written(leaf.value))}`
  return leaf.op === 'lt' || leaf.op === 'lte' ? `(${key} >= '${textMark}' and ${compared})` : compared
}

/** The range of the texts that begin so. */
function begins(dialect: SearchDialect, bind: Bindings, column: SearchedColumn, text: string): string {
  const key = dialect.key(column)
  return `${key} >= ${bind.add(text)} and ${key} < ${bind.add(endOf(text))}`
}

/** The first text after all texts with this beginning. */
export const endOf = (text: string): string =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1)

function among(
  dialect: SearchDialect,
  bind: Bindings,
  column: SearchedColumn,
  leaf: Extract<Comparison, { readonly op: 'in' }>,
): string {
  const listed: Scalar[] = []
  const parts: string[] = []
  for (const value of leaf.values) {
    if (value === null || (typeof value === 'string' && !isShortText(value)))
      parts.push(compared(dialect, bind, column, 'eq', value))
    else if (typeof value === 'string') listed.push(textKey(value))
    else if (column.type !== 'integer' || isKept(value as number | bigint)) listed.push(value as Scalar)
  }
  if (listed.length > 0) parts.push(dialect.oneOf(bind, dialect.key(column), listed, valueTypes[column.type]))
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`
}

function compared(
  dialect: SearchDialect,
  bind: Bindings,
  column: SearchedColumn,
  op: keyof typeof symbols,
  value: Json,
): string {
  const key = dialect.key(column)
  if (value === null) return `${key} is null`
  if (column.type === 'integer') return comparedWhole(bind, key, op, value as number | bigint)
  const type = valueTypes[column.type]
  if (typeof value !== 'string') return `${key} ${symbols[op]} ${bind.add(value as Scalar, type)}`
  if (isShortText(value)) return `${key} ${symbols[op]} ${bind.add(textKey(value))}`
  // The key holds the beginning alone; where that is the same, the whole text decides.
  const beginning = bind.add(sortKey(value))
  const whole = `t.${column.column} ${symbols[op]} ${bind.add(value)}`
  if (op === 'eq') return `(${key} = ${beginning} and ${whole})`
  const strict = op === 'gt' || op === 'gte' ? '>' : '<'
  return `(${key} ${strict}= ${beginning} and (${key} ${strict} ${beginning} or ${whole}))`
}

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/** Whether records can have the number in a column of whole numbers, which have 64 bits. */
const isKept = (value: number | bigint): boolean =>
  (typeof value === 'bigint' || Number.isInteger(value)) && value >= least && value <= most

/** Compares whole numbers of 64 bits with numbers of any size. */
function comparedWhole(bind: Bindings, key: string, op: keyof typeof symbols, value: number | bigint): string {
  if (isKept(value)) return `${key} ${symbols[op]} ${bind.add(BigInt(value), 'int8')}`
  if (op === 'eq') return 'false'
  const isUp = op === 'gt' || op === 'gte'
  if (value > most) return isUp ? 'false' : `${key} is not null`
  if (value < least) return isUp ? `${key} is not null` : 'false'
  // Between two whole numbers.
  const near = BigInt(isUp ? Math.ceil(Number(value)) : Math.floor(Number(value)))
  return `${key} ${isUp ? '>=' : '<='} ${bind.add(near, 'int8')}`
}
