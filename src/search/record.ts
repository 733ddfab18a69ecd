/** The part of a record that a copy stores. */
import { ExactNumber } from '../json.ts'
import type { Json, Searchable, SearchRecord } from './query.ts'
import { depthFault, isWellFormed, wellFormed } from './values.ts'

/**
 * The record with exactly its searchable fields, each with its declared type or null. Integers have 64 bits in every
 * database, so a larger one, which no known system sends, is null; numbers are doubles. Endless nesting becomes null.
 */
export function searchRecord(
  searchable: Searchable,
  id: string,
  data: Readonly<Record<string, unknown>>,
): SearchRecord {
  const kept: Record<string, Json> = {}
  for (const field in searchable)
    kept[field] = Object.hasOwn(data, field) ? keep(searchable[field]!, data[field]) : null
  return { id: id.toWellFormed(), data: kept }
}

function keep(type: Searchable[string], value: unknown): Json {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value.toWellFormed() : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'integer':
      return typeof value === 'bigint' ? within64Bits(value) : Number.isInteger(value) ? whole(value as number) : null
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? finite(Number(value)) : null
    case 'array':
      return Array.isArray(value) ? keepNested(value) : null
    case 'object':
      return typeof value === 'object' && !Array.isArray(value) && !(value instanceof ExactNumber)
        ? keepNested(value)
        : null
  }
}

/** Databases read JSON to about a thousand levels, and no known system sends ten. */
function keepNested(value: object): Json {
  if (isWellFormed(value)) return value as Json
  return depthFault(value, 500) === null ? wellFormed(value) : null
}

/** Whether records can contain a whole number. */
export const has64Bits = (value: bigint): boolean => BigInt.asIntN(64, value) === value

const within64Bits = (value: bigint): bigint | null => (has64Bits(value) ? value : null)

/** A whole number in exponent form gets its full digits, as inside objects. */
function whole(value: number): Json {
  const read = wellFormed(value)
  return typeof read === 'bigint' ? within64Bits(read) : Number.isSafeInteger(read) ? read : null
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null)
