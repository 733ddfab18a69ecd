/** Reads `name=value` arguments into the values that a declared schema wants. */
import type { TObject } from 'typebox'
import { ConexError } from '../errors.ts'
import { isCountable, parseJson } from '../json.ts'

/** Collects a repeatable option; for commander. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** `name=value` arguments as text, by name. */
export function readPairs(option: string, pairs: readonly string[] = []): Record<string, string> {
  const read: Record<string, string> = {}
  for (const pair of pairs) {
    const cut = pair.indexOf('=')
    // What stands behind the sign may be a secret, so only the part before it is repeated.
    if (cut < 1)
      throw new ConexError('invalid_request', `Write ${option} as name=value; one of them has no name or no "=".`)
    const name = pair.slice(0, cut)
    if (Object.hasOwn(read, name)) throw new ConexError('invalid_request', `${option} ${name} is given twice.`)
    read[name] = pair.slice(cut + 1)
  }
  return read
}

/** Params from text: numbers, booleans and JSON where the operation declares them; what does not fit stays text and is refused by the check. */
export function typedParams(schema: TObject, pairs: Readonly<Record<string, string>>): Record<string, unknown> {
  const types = Object.entries(schema.properties).map(([name, { type }]: [string, { type?: string }]) => [name, type])
  return typedValues(Object.fromEntries(types), pairs)
}

/** Values from text, each of the type that its name has. */
export function typedValues(
  types: Readonly<Record<string, string | undefined>>,
  pairs: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, typed(types[name], value)]))
}

function typed(type: string | undefined, value: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return numberIn(value) ?? value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'object':
    case 'array':
      try {
        return parseJson(value, 'as doubles')
      } catch {
        return value
      }
    default:
      return value
  }
}

/** The number in a text, digit for digit where it is a whole one; null when it is none. */
function numberIn(text: string): number | bigint | null {
  if (!/^-?\d+(\.\d+)?$/.test(text) || !isCountable(text)) return null
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) && !text.includes('.') ? BigInt(text) : number
}
