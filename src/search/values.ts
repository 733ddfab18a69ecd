/** Checks that values fit what they are compared with. */

import type { FieldType } from '../catalog/entity.ts'
import { ExactNumber } from '../json.ts'
import type { PathType } from './fields.ts'
import type { Json } from './query.ts'

/** Deeper values are in no record that a system sends, and comparing them would need a deeper stack. */
const deepestValue = 100

/** The fault in comparing a field of this type with the value, or null. */
export function valueFault(type: PathType, value: unknown): string | null {
  if (value === undefined) return 'is missing'
  if (value === null || type === 'anything') return depthFault(value)
  return fits[type](value) ? depthFault(value) : `must be ${nouns[type]}, as the field is, or null`
}

/** The fault in asking whether a field of this type is more or less than the value, or null. */
export function orderFault(type: PathType, value: unknown): string | null {
  if (type === 'object' || type === 'array') return `cannot be used on ${nouns[type]}, which has no order`
  if (type !== 'anything') return fits[type](value) ? null : `must be ${nouns[type]}, as the field is`
  return isOrdered(value) ? null : 'must be text, a number, true or false'
}

/** Whether a field of this type holds text, itself or inside. */
export const holdsText = (type: PathType): boolean =>
  type === 'string' || type === 'object' || type === 'array' || type === 'anything'

export const nouns: Readonly<Record<FieldType, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'
const isOrdered = (value: unknown): boolean =>
  typeof value === 'string' || isNumber(value) || typeof value === 'boolean'

const fits: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  array: (value) => Array.isArray(value),
}

/** Measures with a list of its own, so that no value can exhaust the stack. */
export function depthFault(value: unknown, deepest = deepestValue): string | null {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return `is nested deeper than ${deepest} levels`
    const next: unknown[] = []
    for (const part of level)
      if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) next.push(inner)
    level = next
  }
  return null
}

/** The value as records have it: half surrogates replaced, whole numbers past 2^53 as bigints. Equal values require this form on both sides. */
export function wellFormed(value: unknown): Json {
  return isWellFormed(value) ? (value as Json) : madeWellFormed(value)
}

/**
 * Whether nothing has to be replaced and nothing is nested deeper than comparing allows, as in nearly all values: finding out
 * takes a tenth of making them anew.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) && !Object.is(value, -0) : true
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepestValue) return false
  if (Array.isArray(value)) return value.every((part) => isWellFormed(part, depth + 1))
  for (const key in value) {
    if (!Object.hasOwn(value, key)) return false
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

function madeWellFormed(value: unknown): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return asWritten(value)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value as Json
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]))
}

/** What JSON says of 2^63 is 9223372036854776000, and that is what reading it again gives. From 10^21 on it writes an exponent. */
function asWritten(value: number): number | bigint {
  if (Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21) return value + 0
  return BigInt(String(value))
}

/** The value as a field of this type has it. */
export const valueFor = (type: PathType, value: unknown): Json =>
  type === 'number' && value !== null ? Number(value) : wellFormed(value)
