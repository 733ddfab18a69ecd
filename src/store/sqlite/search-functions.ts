/** The functions that search statements call; they use the context of the running statement. */
import type { Database } from 'better-sqlite3'
import { parseJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'

/** The context that a statement gives to SQL while it runs. */
export interface Running {
  /** Tests that SQL cannot express, by place. */
  readonly tests: readonly ((value: Json) => boolean)[]
  /** Throws when the search must end. */
  readonly tick: () => void
}

/** This many characters take milliseconds in any search. */
const mostLooked = 200_000

/** Adds the functions to a connection; returns the function that sets the running statement's context. */
export function searchFunctions(database: Database): (running: Running) => void {
  let now: Running = { tests: [], tick: () => {} }
  // A statement often asks about one record several times in a row, and parsing its document is most of the work.
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
  // Records can have any length, so this counts characters.
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
