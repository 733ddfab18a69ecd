/** The days that insights sum up, in the caller's form: JSON text with two dates. */
import { rule } from '../../kit/connector.ts'

export interface TimeRange {
  readonly since: string
  readonly until: string
}

/** Reads a range; null if it is not JSON, has other keys, or its dates do not exist or are in reverse order. */
export function readRange(given: unknown): TimeRange | null {
  if (typeof given !== 'string' || given.length > 200) return null
  let range: unknown
  try {
    range = JSON.parse(given)
  } catch {
    return null
  }
  if (typeof range !== 'object' || range === null || Array.isArray(range)) return null
  const { since, until, ...others } = range as Record<string, unknown>
  if (Object.keys(others).length > 0 || !isDate(since) || !isDate(until) || until < since) return null
  return { since, until }
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  // JavaScript would move days past the end of a month into the next.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

export const isRange = rule(
  'Write time_range as JSON text {"since":"YYYY-MM-DD","until":"YYYY-MM-DD"} with dates that exist, since not after until.',
  ({ time_range: given }) => (given === undefined || readRange(given) !== null ? null : ['time_range']),
)
