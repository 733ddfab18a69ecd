/** Checks what a caller sent against a declared schema and its rules, and says where each fault is and what to do. */
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Issue } from '../errors.ts'
import { didYouMean } from './nearest.ts'
import type { Params, Rule } from './rules.ts'

/** Gives every fault of a value, or an empty list. */
export type Check = (value: unknown) => Issue[]

const compiled = new WeakMap<TSchema, Check>()

/** The check of a schema; compiled on first use and kept. `at` is the JSON Pointer of the value in the request. */
export function checkOf(schema: TSchema, at: string): Check {
  let check = compiled.get(schema)
  if (check === undefined) {
    const validator = Compile(schema)
    check = (value) => (validator.Check(value) ? [] : faults(validator, schema, value, at))
    compiled.set(schema, check)
  }
  return check
}

/** The faults of params: first those of the schema, and where it is kept those of the rules. */
export function checkParams(schema: TObject, rules: readonly Rule[] | undefined, params: unknown, at: string): Issue[] {
  const issues = checkOf(schema, at)(params)
  if (issues.length > 0 || rules === undefined) return issues
  for (const rule of rules) {
    const names = rule.broken(params as Params)
    if (names === null) continue
    if (names.length === 0) issues.push({ path: at, message: rule.sentence })
    for (const name of names) issues.push({ path: `${at}/${escapePointer(name)}`, message: rule.sentence })
  }
  return issues
}

/** The most faults that are worth telling at once. */
const mostIssues = 20

function faults(validator: Validator, schema: TSchema, value: unknown, at: string): Issue[] {
  const issues = new Map<string, string>()
  const [, errors] = [null, validator.Errors(value)]
  for (const error of errors) {
    if (issues.size >= mostIssues) break
    const where = error.instancePath
    const params = error.params as Record<string, unknown>
    const within = schemaAt(schema, where)
    switch (error.keyword) {
      case 'required':
        for (const name of params.requiredProperties as string[]) add(`${where}/${escapePointer(name)}`, 'is required')
        break
      case 'additionalProperties': {
        const known = Object.keys((within as { properties?: object } | undefined)?.properties ?? {})
        for (const name of (params.additionalProperties as string[]).slice(0, mostIssues)) {
          const guess = didYouMean(name, known)
          add(`${where}/${escapePointer(name.slice(0, 80))}`, `is not known here${guess || knownNames(known)}`)
        }
        break
      }
      case 'boolean':
        break
      case 'anyOf':
      case 'const':
      case 'enum':
        add(where, `has to be ${expectation(within)}`)
        break
      default:
        add(where, `has to be ${expectation(within)}`)
    }
  }
  // A union reports its branches one by one; the sentence about the whole covers them.
  return [...issues].map(([path, message]) => ({ path: at + path, message }))

  function add(path: string, message: string): void {
    if (!issues.has(path)) issues.set(path, message)
  }
}

const knownNames = (known: readonly string[]): string =>
  known.length === 0 ? '; it takes none' : `; it takes ${known.join(', ')}`

/** Says in words what a schema wants. */
function expectation(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'something else'
  const wanted = schema as Record<string, unknown>
  if (Array.isArray(wanted.anyOf)) return wanted.anyOf.map(expectation).join(' or ')
  if ('const' in wanted) return JSON.stringify(wanted.const)
  if (Array.isArray(wanted.enum)) return `one of ${wanted.enum.join(', ')}`
  switch (wanted.type) {
    case 'integer':
    case 'number': {
      const noun = wanted.type === 'integer' ? 'a whole number' : 'a number'
      const { minimum, maximum } = wanted
      if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
      if (minimum !== undefined) return `${noun} of at least ${minimum}`
      if (maximum !== undefined) return `${noun} of at most ${maximum}`
      return noun
    }
    case 'string': {
      if (wanted.format === 'date') return 'a date that exists, as YYYY-MM-DD'
      if (wanted.format === 'date-time') return 'a time that exists, as YYYY-MM-DDTHH:MM:SSZ or with an offset'
      if (typeof wanted['x-form'] === 'string') return wanted['x-form']
      if (wanted.pattern === '^[0-9]{1,64}$') return 'an id: digits, as text'
      if (typeof wanted.pattern === 'string') return `text of the form ${wanted.pattern}`
      if (wanted.minLength === 1) return 'text that is not empty'
      return 'text'
    }
    case 'boolean':
      return 'true or false'
    case 'array':
      return wanted.items ? `a list, each item ${expectation(wanted.items)}` : 'a list'
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return 'something else'
  }
}

/** The schema that judges the value at a JSON Pointer. */
function schemaAt(schema: TSchema, pointer: string): unknown {
  let found: unknown = schema
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const { properties, items } = (found ?? {}) as { properties?: Record<string, unknown>; items?: unknown }
    found = properties && Object.hasOwn(properties, key) ? properties[key] : items
  }
  return found
}

/** A name as one step of a JSON Pointer (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
