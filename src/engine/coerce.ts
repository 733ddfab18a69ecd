/** Gives records the types their catalog declares, whatever the system put on the wire. Nothing undeclared is touched. */

import type { TSchema } from 'typebox'
import { clip } from '../catalog/clip.ts'
import { ConexError } from '../errors.ts'
import { isCountable } from '../json.ts'
import type { Warning } from './call.ts'

/** Coerces records in place and remembers what could not be handed out. */
export interface Coercion {
  /** The record with its declared types; a record of a list has a position there. */
  record(value: unknown, position?: number): unknown
  warnings(): Warning[]
}

/** Stands for "this value cannot be the declared type". */
const unfit = Symbol('unfit')

type Fix = (value: unknown, at: string, report: Report) => unknown
type Report = (at: string, wanted: string) => void

/** Prepares the coercion of one record type; the result starts a coercion per answer. `asked` limits which absent fields become null. */
export function compileCoercion(
  type: TSchema,
  identity: string | undefined,
): (asked?: ReadonlySet<string>) => Coercion {
  const fields = fieldsOf(type)
  return (asked) => {
    const faults = new Map<string, { at: string; wanted: string; id: unknown; more: number }>()
    // The record that is being coerced.
    let record: Record<string, unknown> = {}
    let position: number | undefined
    const place = (): string => (position === undefined ? '/result' : `/result/${position}`)

    return {
      record(value, itsPosition) {
        position = itsPosition
        if (!isObject(value)) throw unusable(place(), 'an object')
        record = value as Record<string, unknown>
        for (const field of fields) {
          const given = record[field.name]
          if (typeof given !== field.plain) settle(field, given)
        }
        return record
      },
      warnings: () =>
        [...faults.values()].map(({ at, wanted, id, more }) => ({
          path: at,
          message:
            `is not ${wanted} in the third-party system's answer, so it is null` +
            (typeof id === 'string'
              ? ` (record ${clip(id)}${more > 0 ? `, and ${more} more)` : ')'}`
              : more > 0
                ? ` (and ${more} more)`
                : ''),
        })),
    }

    /** A field whose value is not of its type already. */
    function settle({ name, nullable, identifier, wanted, fix }: Field, given: unknown): void {
      if (given === undefined) {
        if (nullable && (asked === undefined || asked.has(name))) record[name] = null
        else if (identifier && asked === undefined) throw unusable(`${place()}/${name}`, wanted)
        return
      }
      // Empty text for a number means that there is none, which only a nullable field can say.
      const fixed = given === null ? null : fix(given, name, report)
      const result = fixed === null && !nullable ? unfit : fixed
      if (result !== unfit) {
        if (result !== given) record[name] = result
      } else if (nullable) {
        report(name, wanted)
        record[name] = null
      } else throw unusable(`${place()}/${name}`, wanted)
    }

    function report(field: string, wanted: string): void {
      const known = faults.get(field.replaceAll(/\/\d+(?=\/|$)/g, '/*'))
      if (known) known.more++
      else
        faults.set(field.replaceAll(/\/\d+(?=\/|$)/g, '/*'), {
          at: `${place()}/${field}`,
          wanted,
          id: identity === undefined ? undefined : record[identity],
          more: 0,
        })
    }
  }
}

function unusable(at: string, wanted: string): ConexError {
  return new ConexError(
    'upstream_invalid_response',
    `The third-party system's answer does not hold ${wanted} at ${at}; ask again later, and report it if it stays so.`,
  )
}

interface Field {
  readonly name: string
  readonly nullable: boolean
  readonly identifier: boolean
  readonly wanted: string
  /** The `typeof` of values that fit as they are, where that alone tells. */
  readonly plain: string | undefined
  readonly fix: Fix
}

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly 'x-identifier'?: boolean
}

function fieldsOf(schema: unknown): Field[] {
  return Object.entries((schema as Schema).properties ?? {}).map(([name, declared]) => {
    const nullable = declared.anyOf?.some(({ type }) => type === 'null') ?? false
    const inner = nullable ? declared.anyOf!.find(({ type }) => type !== 'null')! : declared
    return {
      name,
      nullable,
      identifier: inner['x-identifier'] === true && !nullable,
      wanted: wording[inner.type ?? ''] ?? 'a usable value',
      plain: plainTypes.find((type) => type === inner.type),
      fix: fixOf(inner),
    }
  })
}

const plainTypes = ['string', 'number', 'boolean']

const wording: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function fixOf(schema: Schema): Fix {
  switch (schema.type) {
    case 'string':
      return toText
    case 'integer':
      return toInteger
    case 'number':
      return toNumber
    case 'boolean':
      return toBoolean
    case 'object':
      return schema.properties === undefined ? toObject : toObjectOf(fieldsOf(schema))
    case 'array':
      return schema.items === undefined ? toList : toListOf(schema.items)
    default:
      return (value) => value
  }
}

const toText: Fix = (value) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return unfit
}

const numeral = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

const toNumber: Fix = (value) => {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value !== 'string') return unfit
  if (value.trim() === '') return null
  if (!numeral.test(value) || !isCountable(value)) return unfit
  const number = Number(value)
  const whole = /^([+-]?\d+)(?:\.0+)?$/.exec(value)?.[1]
  if (whole !== undefined && !Number.isSafeInteger(number)) return BigInt(whole)
  return Number.isFinite(number) ? number : unfit
}

const toInteger: Fix = (value, at, report) => {
  const number = toNumber(value, at, report)
  return typeof number === 'number' && !Number.isInteger(number) ? unfit : number
}

const toBoolean: Fix = (value) => {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string') return unfit
  const word = value.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : unfit
}

const toObject: Fix = (value) => (isObject(value) ? value : unfit)
const toList: Fix = (value) => (Array.isArray(value) ? value : unfit)

function toObjectOf(fields: readonly Field[]): Fix {
  return (value, at, report) => {
    if (!isObject(value)) return unfit
    const fixed = value as Record<string, unknown>
    for (const { name, nullable, plain, fix, wanted } of fields) {
      const given = fixed[name]
      if (typeof given === plain) continue
      if (given === undefined) {
        if (nullable) fixed[name] = null
        continue
      }
      if (given === null) continue
      const result = fix(given, `${at}/${name}`, report)
      // Inside an object a field that does not fit is told and emptied; the record around it stays.
      if (result === unfit) {
        report(`${at}/${name}`, wanted)
        fixed[name] = null
      } else if (result !== given) fixed[name] = result
    }
    return fixed
  }
}

function toListOf(items: Schema): Fix {
  const fix = fixOf(items)
  const wanted = wording[items.type ?? ''] ?? 'a usable value'
  return (value, at, report) => {
    if (!Array.isArray(value)) return unfit
    for (let index = 0; index < value.length; index++) {
      const given: unknown = value[index]
      if (given === null) continue
      const result = fix(given, `${at}/${index}`, report)
      if (result === unfit) {
        report(`${at}/${index}`, wanted)
        value[index] = null
      } else if (result !== given) value[index] = result
    }
    return value
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
