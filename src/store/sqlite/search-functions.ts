/** The functions that search statements call; they ask what the running search has put here. */
import type { Database } from 'better-sqlite3'
import { parseJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import type { Check } from './search-condition.ts'
import type { InnerKey } from './search-order.ts'
import type { Count } from './search-score.ts'
import { mostLooked } from './search-ticking.ts'

/** What a search gives to SQL for as long as it runs. */
export interface Running {
  readonly checks: readonly Check[]
  readonly counts: readonly Count[]
  readonly keys: readonly InnerKey[]
  /** Throws when the search has to end. */
  readonly tick: () => void
}

/** Adds the functions to a connection; gives the function that says which search is running. */
export function searchFunctions(database: Database): (running: Running) => void {
  let now: Running = { checks: [], counts: [], keys: [], tick: () => {} }
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
    return now.checks[place as number]!(value as Json) ? 1 : 0
  })
  database.function('document_meets', pure, (place, value) => {
    look(value)
    return now.checks[place as number]!(read(value as string | null)) ? 1 : 0
  })
  database.function('rank', pure, (place, value) => {
    look(value)
    return now.counts[place as number]!(value as Json)
  })
  database.function('inner_key', pure, (place, value) => {
    look(value)
    return now.keys[place as number]!(read(value as string | null))
  })
  database.function('tick', () => {
    now.tick()
    return 1
  })
  return (running) => {
    now = running
  }
}
