/** Gives records the types their catalog declares, whatever the system put on the wire. Nothing undeclared is touched. */
import type { TObject } from 'typebox'
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

/** The field that tells a record from others, where the type declares one. */
export const identityOf = ({ properties }: TObject): string | undefined =>
  Object.entries(properties).find(([, field]) => 'x-identifier' in field)?.[0]

/** The coercion of an operation's records. */
export const coercionOf = perOperation(({ record }: ListOperation | GetOperation) => compileCoercion(record))

/** Prepares the coercion of one record type; the result starts a coercion per answer. `asked` limits which absent fields become null. */
export function compileCoercion(type: TObject): (asked?: ReadonlySet<string>) => Coercion {
  const fields = fieldsOf(type as Schema)
  const identity = identityOf(type)
  return (asked) => {
    const faults = new Map<string, Warning & { readonly id: unknown; more: number }>()
    // The record that is being coerced.
    let record: Record<string, unknown> = {}
    let place = ''

    return {
      record(value, position) {
        place = position === undefined ? '/result' : `/result/${position}`
        if (!isObject(value)) throw unusable(place, 'an object')
        record = value
        for (const field of fields) {
          const given = record[field.name]
          if (typeof given === field.plain) continue
          const { name, nullable, identifier, wanted } = field
          if (given !== undefined) settle(record, name, field, name, report)
          else if (nullable && (asked === undefined || asked.has(name))) record[name] = null
          const isMissing = given === undefined ? identifier && asked === undefined : record[name] === null
          if (isMissing && !nullable) throw unusable(`${place}/${name}`, wanted)
        }
        return record
      },
      warnings: () =>
        [...faults.values()].map(({ path, message, id, more }) => {
          const others = more > 0 ? `and ${more} more` : ''
          const whose = [typeof id === 'string' ? `record ${truncate(id)}` : '', others].filter(Boolean).join(', ')
          return { path, message: whose === '' ? message : `${message} (${whose})` }
        }),
    }

    function report(field: string, message: string): void {
      const kind = `${field.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message}`
      const known = faults.get(kind)
      if (known) known.more++
      else faults.set(kind, { path: `${place}/${field}`, message, id: record[identity ?? ''], more: 0 })
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

/** Stands for "this value cannot be the declared type". */
const unfit = Symbol('unfit')

/** The value as the declared type; null where there is none, as for empty text instead of a number. */
type Fix = (value: unknown, at: string, report: Report) => unknown
type Report = (at: string, message: string) => void

/** How a value gets its declared type. */
interface Declared {
  readonly wanted: string
  readonly fix: Fix
}

interface Field extends Declared {
  readonly name: string
  readonly nullable: boolean
  readonly identifier: boolean
  /** The `typeof` of values that fit as they are, where that alone tells. */
  readonly plain: string | undefined
}

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly 'x-identifier'?: boolean
}

/** Optional fields are declared for readers; their values stay as they came. */
const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  required.map((name) => {
    const declared = properties[name]!
    const inner = declared.anyOf?.find(({ type }) => type !== 'null') ?? declared
    const nullable = declared.anyOf?.some(({ type }) => type === 'null') ?? false
    const identifier = inner['x-identifier'] === true
    const plain = ['string', 'number', 'boolean'].find((type) => type === inner.type)
    return { name, nullable, identifier, plain, ...declaredBy(inner) }
  })

function declaredBy(schema: Schema): Declared {
  if (schema.type === 'object') return { wanted: 'an object', fix: toObject(fieldsOf(schema)) }
  if (schema.type === 'array') return { wanted: 'a list', fix: toList(schema.items && declaredBy(schema.items)) }
  return scalars[schema.type ?? ''] ?? { wanted: 'a usable value', fix: (value) => value }
}

/** Gives a value its declared type; a value that does not fit becomes null, with a warning. */
function settle<Key extends string | number>(
  around: Record<Key, unknown>,
  key: Key,
  { fix, wanted }: Declared,
  at: string,
  report: Report,
): void {
  const given = around[key]
  if (given === null) return
  const fixed = fix(given, at, report)
  if (fixed === unfit) report(at, isNot(wanted))
  if (fixed !== given) around[key] = fixed === unfit ? null : fixed
}

/** Inside an object or a list a value that does not fit never spoils the record around it. */
const toObject =
  (fields: readonly Field[]): Fix =>
  (value, at, report) => {
    if (!isObject(value)) return unfit
    for (const field of fields) {
      const given = value[field.name]
      if (typeof given === field.plain) continue
      if (given !== undefined) settle(value, field.name, field, `${at}/${field.name}`, report)
      else if (field.nullable) value[field.name] = null
    }
    return value
  }

const toList =
  (items: Declared | undefined): Fix =>
  (value, at, report) => {
    if (!Array.isArray(value)) return unfit
    if (items !== undefined)
      for (let index = 0; index < value.length; index++) settle(value, index, items, `${at}/${index}`, report)
    return value
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

/** Whether a number has fewer digits than the value that it was read from. */
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

const scalars: Readonly<Record<string, Declared>> = {
  string: { wanted: 'text', fix: toText },
  integer: { wanted: 'a whole number', fix: toInteger },
  number: { wanted: 'a number', fix: toNumber },
  boolean: { wanted: 'true or false', fix: toBoolean },
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
