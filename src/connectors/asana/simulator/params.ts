/** Reads the query parameters of a call as strictly as the real system. */
import { type Pair, readQuery, valuesOf } from '../../../kit/simulator.ts'
import { messages, refuse } from './refusals.ts'

export interface Params {
  readonly pairs: readonly Pair[]
  get(name: string): string | undefined
  has(name: string): boolean
  /** A required gid. */
  required(name: string): string
  boolean(name: string): boolean | undefined
  /** A moment: date-time, date, or `now`. */
  time(name: string, now: number): number | undefined
  date(name: string): string | undefined
  /** Undefined if absent; refuses values outside 1 to 100. */
  limit(): number | undefined
}

const dateTimeForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
const dateForm = /^\d{4}-\d\d-\d\d$/

export function readParams(query: string): Params {
  const pairs = readQuery(query)
  const values = valuesOf(pairs)
  const badDate = (name: string, value: string): never =>
    refuse(400, `${name}: Date must be in ISO-8601 (yyyy-mm-dd) format, not: ${value}`)
  return {
    pairs,
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    required(name) {
      const value = values.get(name)
      if (value === undefined || value === '') refuse(400, `${name}: Missing input`)
      return value
    },
    boolean(name) {
      const value = values.get(name)
      if (value === undefined) return undefined
      if (value !== 'true' && value !== 'false') refuse(400, `${name}: Value must be true or false, not: ${value}`)
      return value === 'true'
    },
    time(name, now) {
      const value = values.get(name)
      if (value === undefined) return undefined
      if (value === 'now') return now
      const ms = dateTimeForm.test(value) && realDate(value) ? Date.parse(value) : Number.NaN
      return Number.isNaN(ms) ? badDate(name, value) : ms
    },
    date(name) {
      const value = values.get(name)
      if (value === undefined) return undefined
      return dateForm.test(value) && realDate(value) ? value : badDate(name, value)
    },
    limit() {
      const value = values.get('limit')
      if (value === undefined) return undefined
      const limit = /^\d{1,9}$/.test(value) ? Number(value) : 0
      if (limit < 1 || limit > 100) refuse(400, messages.badLimit)
      return limit
    },
  }
}

/** Whether this day exists; JavaScript would turn 30 February into a day of March. */
function realDate(value: string): boolean {
  const day = value.slice(0, 10)
  const ms = Date.parse(`${day}T00:00:00.000Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}
