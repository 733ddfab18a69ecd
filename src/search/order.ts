/** How values compare: numbers as numbers, date-times as instants, other texts by Unicode code point, false before true. */
import { ExactNumber } from '../json.ts'
import { instantOf } from './instant.ts'
import type { Json, Scalar } from './query.ts'

/** The key by which a text compares: the instant of a date-time, otherwise the text itself. A key is its own key. */
export const textKey = (text: string): string => instantOf(text) ?? text

/**
 * The maximum number of code points that sorting considers, which keeps cursors and index entries small: a cursor
 * with a note of 3 MB could not be sent back. Texts with the same beginning sort by id. Comparisons consider the
 * whole text.
 */
export const longestSortKey = 256

/** The key by which a text sorts. */
export const sortKey = (text: string): string => clip(textKey(text))

/**
 * The key by which a value inside an object sorts. Any type is possible there: numbers come before texts, true and
 * false count as 1 and 0, and values without an order count as null. Numbers beyond the range of every database sort
 * as the nearest number in it.
 */
export function innerSortKey(value: Json): string | number | bigint | null {
  if (typeof value === 'string') return sortKey(value)
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : nearestDouble(value)
  if (value instanceof ExactNumber) return nearestDouble(value)
  return typeof value === 'number' ? value : null
}

/** A text that compares with others as the keys of values inside objects do, so that an index of texts has the order of them all. */
export function keyAsText(key: Scalar): string {
  if (typeof key === 'string') return `${textMark}${key}`
  const near = Number(key)
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, near)
  // Upwards of zero the bits of doubles have the order of the numbers, below it the opposite one.
  const order = BigInt.asUintN(64, near < 0 ? ~bits.getBigUint64(0) : bits.getBigUint64(0) | (1n << 63n))
  const rest = typeof key === 'bigint' ? key - BigInt(near) : 0n
  return `n${order.toString(16).padStart(16, '0')}${String(rest + 5000n)}`
}

/** The beginning of all texts among such keys; numbers are less. */
export const textMark = 't'

const nearestDouble = (value: bigint | ExactNumber): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value))) + 0

/** Whether the key of a text is all of it, so that comparing keys is comparing texts. */
export function isShortText(text: string): boolean {
  if (text.length < longestSortKey) return true
  return text.length < longestSortKey * 2 && [...textKey(text)].length < longestSortKey
}

function clip(text: string): string {
  if (text.length <= longestSortKey) return text
  let end = 0
  for (let count = 0; count < longestSortKey && end < text.length; count++)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** An exact number compares as its nearest double, like every other number. */
export const comparable = (value: Json): Json => (value instanceof ExactNumber ? Number(value) : value)

/** Negative, 0 or positive; null if the two have no order, because of their types. */
export function compare(one: Json, other: Json): number | null {
  const [left, right] = [comparable(one), comparable(other)]
  if (typeof left === 'string') return typeof right === 'string' ? compareTexts(textKey(left), textKey(right)) : null
  if (typeof left === 'number' || typeof left === 'bigint') {
    if (typeof right !== 'number' && typeof right !== 'bigint') return null
    // JavaScript compares numbers with bigints by value, without rounding either.
    return left < right ? -1 : left > right ? 1 : 0
  }
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : null
  return null
}

/** By Unicode code point. JavaScript compares by UTF-16 unit, which puts emoji before U+E000. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const end = Math.min(left.length, right.length)
  for (let index = 0; index < end; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

// Surrogates stand for characters after the whole first plane.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_00_00 : unit)

/** Whether two values are equal: objects with the same keys in any order, arrays item by item. */
export function same(given: Json, wanted: Json): boolean {
  const [left, right] = [comparable(given), comparable(wanted)]
  if (left === right) return true
  if (left === null || right === null) return false
  if (typeof left !== 'object' || typeof right !== 'object') return compare(left, right) === 0
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => same(item, right[index]))
  }
  const it = left as { readonly [key: string]: Json }
  const that = right as { readonly [key: string]: Json }
  const keys = Object.keys(it)
  if (keys.length !== Object.keys(that).length) return false
  return keys.every((key) => Object.hasOwn(that, key) && same(it[key]!, that[key]!))
}

/** True for texts, numbers and booleans. */
export const isScalar = (value: Json | undefined): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
