/** When a search asks whether its time is up: often enough whatever the records are, and so rarely that it costs nothing. */
import type { Fragment } from './search-condition.ts'

/** So many characters take milliseconds, whatever is looked for in them. */
export const mostLooked = 200_000

/** A text of more bytes is worth a look at the clock of its own before SQLite compares it with a pattern. */
export const longText = 4096

/** Asked of one record in 1,024, and of more where SQLite compares each with so many characters of patterns. */
export function ticking(patternLength: number): Fragment {
  const records = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(1024, mostCompared / patternLength))))
  return { sql: `((t._record & ${records - 1}) <> 0 or tick())`, params: [] }
}

/** Records times characters of patterns: with texts of the length above, half a second at worst. */
const mostCompared = 50_000
