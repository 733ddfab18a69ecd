/** JSON that keeps what plain parsing loses: integers past 2^53 become bigints, half surrogates become U+FFFD. */

/** Nothing that means anything nests like this; what nests deeper could be read, but not written again. */
export const deepest = 1000

/** Nothing that means anything has more digits; to count with a million of them takes a second. */
export const mostDigits = 1000

/** Whether a number, as it is written, has no more digits than that. */
export const isCountable = (number: string): boolean => number.length <= mostDigits || countDigits(number) <= mostDigits

const countDigits = (number: string): number => number.replace(/\D/g, '').length

/** Thrown where a text nests more deeply than could be written again. */
export class TooDeep extends SyntaxError {
  override readonly name = 'TooDeep'
  constructor() {
    super(`It nests more than ${deepest} levels deep.`)
  }
}

const halfSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Parses JSON. Numbers that a double cannot hold become a bigint, or their own text where they are not whole or too long. Few
 * texts have any: so a text is parsed the fast way first, and again with care where that lost something. To look through the
 * values takes a quarter of the time of a look through the text.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const lost = hasLostDigits(value, deepest) || (text.includes('\\u') && halfSurrogate.test(text))
  return lost ? JSON.parse(text, exact) : value
}

/** Whether numbers were too large for a double. Looks at every value all the same, for one that nests too deeply. */
function hasLostDigits(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return !(value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER)
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) throw new TooDeep()
  let lost = false
  if (Array.isArray(value)) for (const inner of value) lost = hasLostDigits(inner, levels - 1) || lost
  else for (const key in value) lost = hasLostDigits((value as Record<string, unknown>)[key], levels - 1) || lost
  return lost
}

function exact(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) || context?.source === undefined) return value
    const source = context.source
    if (!/^-?\d+$/.test(source)) return Number.isFinite(value) ? value : source
    return isCountable(source) ? BigInt(source) : source
  }
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return withWellFormedKeys(value)
  return value
}

function withWellFormedKeys(value: object): object {
  const keys = Object.keys(value)
  if (keys.every((key) => key.isWellFormed())) return value
  return Object.fromEntries(keys.map((key) => [key.toWellFormed(), (value as Record<string, unknown>)[key]]))
}

/** Writes JSON; bigints become JSON numbers, digit for digit. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, exactNumbers)
  }
}

/** The same for people to read. */
export const printJson = (value: unknown): string => JSON.stringify(value, exactNumbers, 2)

const exactNumbers = (_key: string, part: unknown): unknown => (typeof part === 'bigint' ? rawJson(String(part)) : part)

// Part of the language that Node 24 has and the type library does not name yet.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON
