/** The functions that search statements call; they ask what the running statement has put here. */
import type { Database } from 'better-sqlite3'
import { parseJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'

/** What a statement gives to SQL for as long as it runs. */
export interface Running {
  /** What SQL cannot say, by place. */
  readonly tests: readonly ((value: Json) => boolean)[]
  /** Throws when the search has to end. */
  readonly tick: () => void
}

/** So many characters take milliseconds, whatever is looked for in them. */
const mostLooked = 200_000

/** Adds the functions to a connection; gives the function that says what is running. */
export function searchFunctions(database: Database): (running: Running) => void {
  let now: Running = { tests: [], tick: () => {} }
  // One record is often asked about several times in a row, and reading its document is most of the work.
  let text = ''
  let document: Json = null
  const read = (given: string | null): Json => {
    if (given === null) return null
    if (given !== text) {
      document = parseJson(given) as Json
      text = given
    }
    return document
  }
  // Records can have any length, so that it is texts that are counted here.
  let looked = 0
  const look = (value: unknown): void => {
    if (typeof value === 'string') looked += value.length
    if (looked < mostLooked) return
    looked = 0
    now.tick()
  }
  const pure = { deterministic: true } as const
  database.function('meets', pure, (place, value) => {
    look(value)
    return now.tests[place as number]!(value as Json) ? 1 : 0
  })
  database.function('inside_meets', pure, (place, value) => {
    look(value)
    return now.tests[place as number]!(read(value as string | null)) ? 1 : 0
  })
  database.function('written_number', pure, (value) => (value === null ? null : String(value)))
  database.function('tick', () => {
    now.tick()
    return 1
  })
  return (running) => {
    now = running
  }
}
