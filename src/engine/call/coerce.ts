/** Gives records the types their catalog declares, whatever the system put on the wire. Nothing undeclared is touched. */

import type { TSchema } from 'typebox'
import type { GetOperation, ListOperation } from '../../catalog/operation.ts'
import { truncate } from '../../catalog/truncate.ts'
import { ConexError } from '../../errors.ts'
import { ExactNumber, fitsDouble, isCountable } from '../../json.ts'
import { perOperation } from '../operation-cache.ts'
import type { Warning } from '../warning.ts'

/** Coerces records in place and remembers what could not be handed out. */
export interface Coercion {
  /** The record with its declared types; a record of a list has a position there. */
  record(value: unknown, position?: number): unknown
  warnings(): Warning[]
}

/** Stands for "this value cannot be the declared type". */
const unfit = Symbol('unfit')

type Fix = (value: unknown, at: string, report: Report) => unknown
type Report = (at: string, fault: string) => void

/** The field that tells a record from others, where the type declares one. */
export const identityOf = ({ properties }: ListOperation['record']): string | undefined =>
  Object.entries(properties).find(([, field]) => 'x-identifier' in field)?.[0]

/** The coercion of an operation's records. */
export const coercionOf = perOperation(({ record }: ListOperation | GetOperation) =>
  compileCoercion(record, identityOf(record)),
)

/** Prepares the coercion of one record type; the result starts a coercion per answer. `asked` limits which absent fields become null. */
export function compileCoercion(
  type: TSchema,
  identity: string | undefined,
): (asked?: ReadonlySet<string>) => Coercion {
  const fields = fieldsOf(type)
  return (asked) => {
    const faults = new Map<string, { at: string; fault: string; id: unknown; more: number }>()
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
        [...faults.values()].map(({ at, fault, id, more }) => ({
          path: at,
          message:
            fault +
            (typeof id === 'string'
              ? ` (record ${truncate(id)}${more > 0 ? `, and ${more} more)` : ')'}`
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
        report(name, isNot(wanted))
        record[name] = null
      } else throw unusable(`${place()}/${name}`, wanted)
    }

    function report(field: string, fault: string): void {
      const kind = `${field.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${fault}`
      const known = faults.get(kind)
      if (known) known.more++
      else
        faults.set(kind, {
          at: `${place()}/${field}`,
          fault,
          id: identity === undefined ? undefined : record[identity],
          more: 0,
        })
    }
  }
}

const isNot = (wanted: string): string => `is not ${wanted} in the third-party system's answer, so it is null`
const isRounded = "has more digits in the third-party system's answer than a number can have, so it is rounded"

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
      wanted: wordingOf(inner),
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

const wordingOf = ({ type = '' }: Schema): string => wording[type] ?? 'a usable value'

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
  return value instanceof ExactNumber ? String(value) : unfit
}

const numeral = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

function numberOf(given: unknown): number | bigint | null | typeof unfit {
  if (typeof given === 'number' || typeof given === 'bigint') return given
  const value = given instanceof ExactNumber ? String(given) : given
  if (typeof value !== 'string') return unfit
  if (value.trim() === '') return null
  if (!numeral.test(value) || !isCountable(value)) return unfit
  const number = Number(value)
  const whole = /^([+-]?\d+)(?:\.0+)?$/.exec(value)?.[1]
  if (whole !== undefined && !Number.isSafeInteger(number)) return BigInt(whole)
  return Number.isFinite(number) ? number : unfit
}

/** Whether a number was read of what has digits that it has not. */
const losesDigits = (given: unknown, number: unknown): boolean =>
  typeof number === 'number' && typeof given !== 'number' && !fitsDouble(String(given))

const toNumber: Fix = (value, at, report) => {
  const number = numberOf(value)
  if (losesDigits(value, number)) report(at, isRounded)
  return number
}

const toInteger: Fix = (value) => {
  const number = numberOf(value)
  return typeof number === 'number' && (!Number.isInteger(number) || losesDigits(value, number)) ? unfit : number
}

const toBoolean: Fix = (value) => {
  if (typeof value === 'boolean') return value
  const number = value instanceof ExactNumber ? Number(value) : value
  if (number === 1 || number === 0) return number === 1
  if (typeof value !== 'string') return unfit
  const word = value.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : unfit
}

const toObject: Fix = (value) => (isObject(value) ? value : unfit)
const toList: Fix = (value) => (Array.isArray(value) ? value : unfit)

function toObjectOf(fields: readonly Field[]): Fix {
  return (value, at, report) => {
    if (!isObject(value)) return unfit
    const record = value as Record<string, unknown>
    for (const field of fields) {
      const given = record[field.name]
      if (typeof given === field.plain || given === null) continue
      if (given !== undefined) settleInside(record, field.name, field, `${at}/${field.name}`, report)
      else if (field.nullable) record[field.name] = null
    }
    return record
  }
}

function toListOf(items: Schema): Fix {
  const item = { fix: fixOf(items), wanted: wordingOf(items) }
  return (value, at, report) => {
    if (!Array.isArray(value)) return unfit
    for (let index = 0; index < value.length; index++)
      if (value[index] !== null) settleInside(value, index, item, `${at}/${index}`, report)
    return value
  }
}

/** Inside an object or a list, a value that does not fit becomes null with a warning; the record around it stays. */
function settleInside<Key extends string | number>(
  around: Record<Key, unknown>,
  key: Key,
  { fix, wanted }: Pick<Field, 'fix' | 'wanted'>,
  at: string,
  report: Report,
): void {
  const given = around[key]
  const result = fix(given, at, report)
  if (result === unfit) report(at, isNot(wanted))
  if (result !== given) around[key] = result === unfit ? null : result
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
