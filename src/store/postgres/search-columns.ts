/** Compares columns with values, so that their indexes can be used. Where the field is null, so is the comparison. */

import { fold } from '../../search/fold.ts'
import { longestSortKey, sortKey, textKey } from '../../search/order.ts'
import { parsePattern } from '../../search/pattern.ts'
import type { Condition, Json, Scalar } from '../../search/query.ts'
import type { Bindings } from './bindings.ts'
import type { Column } from './copy-table.ts'

type Wanted = Extract<Condition, { readonly words: readonly string[] }>

export type Ordering = 'gt' | 'gte' | 'lt' | 'lte'

const symbols = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The expression that the index of the column is over. */
export const keyOf = ({ column, text }: Column): string =>
  text === null ? `t.${column}` : `coalesce(t.${text.key}, t.${column})`

export function equal(bind: Bindings, column: Column, value: Json): string {
  if (value === null) return `(${keyOf(column)} is null)`
  if (column.type === 'integer') return whole(bind, column, 'eq', value as number | bigint)
  if (typeof value !== 'string') return `${keyOf(column)} = ${bind.of(column, value as Scalar)}`
  if (isShort(value)) return `${keyOf(column)} = ${bind.add(textKey(value))}`
  return `(${keyOf(column)} = ${bind.add(sortKey(value))} and t.${column.column} = ${bind.add(value)})`
}

/** Whether the column has one of the values. */
export function among(bind: Bindings, column: Column, values: readonly Json[]): string {
  const listed: Scalar[] = []
  const parts: string[] = []
  for (const value of values) {
    if (value === null || (typeof value === 'string' && !isShort(value))) parts.push(equal(bind, column, value))
    else if (typeof value === 'string') listed.push(textKey(value))
    else if (column.type !== 'integer' || fits(value as number | bigint)) listed.push(value as Scalar)
  }
  if (listed.length > 0) {
    const numbers = column.type === 'integer' || column.type === 'number'
    const list = bind.add(numbers ? listed.map(String) : listed, arrayTypes[column.type])
    parts.push(`${keyOf(column)} = any(${list})`)
  }
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`
}

const arrayTypes = { string: 'text[]', integer: 'int8[]', number: 'float8[]', boolean: 'boolean[]' } as const

export function compared(bind: Bindings, column: Column, op: Ordering, value: Scalar): string {
  if (column.type === 'integer') return whole(bind, column, op, value as number | bigint)
  const key = keyOf(column)
  if (typeof value !== 'string') return `${key} ${symbols[op]} ${bind.of(column, value)}`
  if (isShort(value)) return `${key} ${symbols[op]} ${bind.add(textKey(value))}`
  // The key holds the beginning alone; where that is the same, the whole text decides.
  const wider = op === 'gt' || op === 'gte' ? '>=' : '<='
  const beginning = bind.add(sortKey(value))
  const strict = `${key} ${wider[0]} ${beginning}`
  return `(${key} ${wider} ${beginning} and (${strict} or t.${column.column} ${symbols[op]} ${bind.add(value)}))`
}

/** Of a shorter text the key is all of it, so that comparing keys is comparing texts. */
function isShort(text: string): boolean {
  if (text.length < longestSortKey) return true
  return text.length < longestSortKey * 2 && [...textKey(text)].length < longestSortKey
}

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

const fits = (value: number | bigint): boolean =>
  (typeof value === 'bigint' || Number.isInteger(value)) && value >= least && value <= most

/** Compares whole numbers of 64 bits with numbers of any size. */
function whole(bind: Bindings, column: Column, op: 'eq' | Ordering, value: number | bigint): string {
  const key = `t.${column.column}`
  if (fits(value)) return `${key} ${op === 'eq' ? '=' : symbols[op]} ${bind.add(String(BigInt(value)), 'int8')}`
  if (op === 'eq') return 'false'
  const isUp = op === 'gt' || op === 'gte'
  if (value > most) return isUp ? 'false' : `${key} is not null`
  if (value < least) return isUp ? `${key} is not null` : 'false'
  // Between two whole numbers.
  const near = isUp ? Math.ceil(Number(value)) : Math.floor(Number(value))
  return `${key} ${isUp ? '>=' : '<='} ${bind.add(String(BigInt(near)), 'int8')}`
}

/** The folded text of a column; small letters of ASCII are what folding gives wherever it is not kept. */
const foldedOf = ({ column, text }: Column): string => `coalesce(t.${text!.folded}, lower(t.${column}))`

/** What of a text is kept as its folded form, or null when the database can make it. */
export function foldedText(text: string): string | null {
  if (ordinary.test(text)) return null
  const folded = fold(text).replace(unlikely, standIn)
  return folded === text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded
}

// Nearly all texts are, and of these lower() says the same as folding.
const ordinary = /^[\x03-\x7f]*$/

// U+0000 cannot be kept, and what stands for it has to be one character, as `_` means one. Where a pattern asks for one of these
// characters, the database finds too much.
const unlikely = /[\0-\x02]/g
const standIn = '\x02'

/** Whether the database can tell exactly which texts match the pattern. */
export const isExact = (pattern: string): boolean => !/[\0-\x02]/.test(pattern)

/** True of the texts that match the pattern, and of some others where it is not exact. */
export function liked(bind: Bindings, column: Column, pattern: string): string {
  const written = parsePattern(pattern).pieces.map((piece) => piece.map(inPattern).join(''))
  return `${foldedOf(column)} like ${bind.add(written.join('%'))}`
}

/** True of the texts that have the words, and of some others, where letters beyond ASCII stand beside them. */
export function mayHaveWords(bind: Bindings, column: Column, { op, words }: Wanted): string {
  if (words.length > mostRead) return 'true'
  const texts = foldedOf(column)
  // The plain pattern sorts out most of the others in a fraction of the time.
  const held = (part: string, exactly: string) => {
    const like = `${texts} like ${bind.add(`%${part}%`)}`
    return exactly.length > longestRead ? like : `(${like} and ${texts} ~ ${bind.add(exactly)})`
  }
  if (op === 'fuzzy') return held(words.join('%'), `${begin}${words.join(`.*${beside}`)}`)
  return `(${words.map((word) => held(word, `${begin}${word}(?:${beside}|$)`)).join(' or ')})`
}

/** Looking for more words in the database takes longer than here; and it takes seconds to prepare for very long ones. */
const mostRead = 8
const longestRead = 1000
const beside = '[^a-z0-9]'
const begin = `(?:^|${beside})`

const inPattern = (character: string | null): string => {
  if (character === null) return '_'
  if (/[\0-\x02]/.test(character)) return standIn
  return /[%_\\]/.test(character) ? `\\${character}` : character
}
