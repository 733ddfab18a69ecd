/** Reads `name=value` arguments as values of a declared schema. */
import type { TObject } from 'typebox'
import { ConexError } from '../errors.ts'
import { isCountable, parseJson } from '../json.ts'

/** Collects a repeatable option; for commander. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** The values as text, by name. */
export function readPairs(option: string, pairs: readonly string[] = []): Record<string, string> {
  const read: Record<string, string> = {}
  for (const pair of pairs) {
    const cut = pair.indexOf('=')
    // The value may be a secret, so the message only repeats the name.
    if (cut < 1)
      throw new ConexError('invalid_request', `Write ${option} as name=value; one of them has no name or no "=".`)
    const name = pair.slice(0, cut)
    if (Object.hasOwn(read, name)) throw new ConexError('invalid_request', `${option} ${name} is passed twice.`)
    read[name] = pair.slice(cut + 1)
  }
  return read
}

/**
 * Params from text: numbers, booleans and JSON if the operation declares them. A value of another type stays text, and
 * the check refuses it.
 */
export function typedParams(schema: TObject, pairs: Readonly<Record<string, string>>): Record<string, unknown> {
  const types = Object.entries(schema.properties).map(([name, { type }]: [string, { type?: string }]) => [name, type])
  return typedValues(Object.fromEntries(types), pairs)
}

/** Values from text, each with the type of its name. */
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

/** The number in a text, with every digit if it is whole; null if it is not a number. */
function numberIn(text: string): number | bigint | null {
  if (!/^-?\d+(\.\d+)?$/.test(text) || !isCountable(text)) return null
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) && !text.includes('.') ? BigInt(text) : number
}
