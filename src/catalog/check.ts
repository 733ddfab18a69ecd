/** Checks a caller's input against a declared schema and its rules. Each fault has its place and says what to do. */
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Issue } from '../errors.ts'
import type { Params, Rule } from './rules.ts'
import { escapePointer, unknownNames } from './unknown-names.ts'

/** Returns every fault of a value, or an empty list. */
export type Check = (value: unknown) => Issue[]

/** A compiled schema. The library's own type would cost the compiler a million instantiations. */
interface Validator {
  Check(value: unknown): boolean
}

const compile = Compile as unknown as (schema: TSchema) => Validator
const compiled = new WeakMap<TSchema, Validator>()

/** The check of a schema, compiled on first use and kept. `at` is the JSON Pointer of the value in the request. */
export function checkOf(schema: TSchema, at: string): Check {
  return (value) => {
    if (fits(schema, value)) return []
    const issues = new Map<string, string>()
    addFaults(schema, value, at, issues)
    // An invalid value is never accepted just because no fault could be described.
    if (issues.size === 0) issues.set(at, `must be ${expectation(schema)}`)
    return [...issues].map(([path, message]) => ({ path, message }))
  }
}

/** The faults of params: schema faults or, if there are none, faults against the rules. */
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

function fits(schema: TSchema, value: unknown): boolean {
  let validator = compiled.get(schema)
  if (validator === undefined) {
    validator = compile(schema)
    compiled.set(schema, validator)
  }
  return validator.Check(value)
}

/** The maximum number of reported faults. */
const mostIssues = 20

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: TSchema
}

/** Walks down to the faults. The validator's own list ends after eight errors, so it is not enough. */
function addFaults(schema: TSchema, value: unknown, path: string, issues: Map<string, string>): void {
  if (issues.size >= mostIssues || fits(schema, value)) return
  const shape = schema as Shape
  const before = issues.size
  if (shape.properties !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value))
    addFaultsOfObject(shape, value as Record<string, unknown>, path, issues)
  else if (shape.items !== undefined && Array.isArray(value))
    for (let index = 0; index < value.length && issues.size < mostIssues; index++)
      addFaults(shape.items, value[index], `${path}/${index}`, issues)
  if (issues.size === before) issues.set(path, `must be ${expectation(schema)}`)
}

function addFaultsOfObject(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  path: string,
  issues: Map<string, string>,
): void {
  const properties = shape.properties ?? {}
  for (const name of shape.required ?? [])
    if (own(value, name) === undefined) issues.set(`${path}/${escapePointer(name)}`, 'is required')
  if (shape.additionalProperties === false) {
    for (const { path: at, message } of unknownNames(value, Object.keys(properties), path)) {
      if (issues.size >= mostIssues) return
      issues.set(at, message)
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const given = own(value, name)
    if (given !== undefined) addFaults(property, given, `${path}/${escapePointer(name)}`, issues)
  }
}

const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** Describes in words what a schema requires. */
function expectation(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'something else'
  const wanted = schema as Record<string, unknown>
  if (typeof wanted['x-form'] === 'string') return wanted['x-form']
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
