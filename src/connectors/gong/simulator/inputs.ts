/** Checks callers' input, as strictly as the real system's documentation. */
import { messages, refuse } from './replies.ts'

export type Json = Readonly<Record<string, unknown>>

const biggest = 2n ** 63n - 1n

export function object(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(400, `${name}: must be an object`)
  return value as Json
}

export const optionalObject = (value: unknown, name: string): Json | undefined =>
  value === undefined || value === null ? undefined : object(value, name)

/** A JSON body; the real system reads nothing else, and no query of a POST. */
export function jsonBody(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(400, 'Failed to read the request body: malformed JSON')
  }
  return object(value, 'body')
}

export function id(value: unknown): string {
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return refuse(400, messages.badRequest)
  const number = BigInt(value)
  if (number > biggest || number < -biggest - 1n) return refuse(400, messages.badRequest)
  return value
}

/** A list of ids; null without one. An empty one is refused. */
export function ids(value: unknown, name: string): ReadonlySet<string> | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || value.length === 0) return refuse(400, `${name}: must not be empty`)
  return new Set(value.map(id))
}

const dateTimeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

/** A time with its offset, in milliseconds; undefined without one. */
export function time(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const moment = typeof value === 'string' && dateTimeForm.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(moment) ? refuse(400, `${name}: must be an ISO 8601 date-time with an offset`) : moment
}

export interface Period {
  readonly from: number
  readonly to: number
}

/** A period from an inclusive time to an exclusive one; a missing side is open. */
export function period(given: Json, at: string): Period {
  const from = time(given.fromDateTime, `${at}fromDateTime`)
  const to = time(given.toDateTime, `${at}toDateTime`)
  if (from !== undefined && to !== undefined && from >= to) refuse(400, `${at}fromDateTime: must be before toDateTime`)
  return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
}

export function date(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const moment =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  // JavaScript reads a day that does not exist as one of the next month.
  const exists = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(value as string)
  return exists ? (value as string) : refuse(400, `${name}: must be a date, YYYY-MM-DD`)
}

/** An object of switches; other values are ignored. */
export function switches(value: unknown, name: string): Readonly<Record<string, boolean>> | undefined {
  const given = optionalObject(value, name)
  for (const [key, on] of Object.entries(given ?? {}))
    if (typeof on !== 'boolean') refuse(400, `${name}.${key}: must be a boolean`)
  return given as Readonly<Record<string, boolean>> | undefined
}

export function word(value: unknown, allowed: readonly string[], name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' && allowed.includes(value)
    ? value
    : refuse(400, `${name}: must be one of ${allowed.join(', ')}`)
}
