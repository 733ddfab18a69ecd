/** Statements of searches, prepared and planned once each. */
import type { Database, Statement } from 'better-sqlite3'
import type { Bound } from './search-condition.ts'

/** A row as it was selected: its values in order. */
export type Row = readonly unknown[]

type Prepared = Map<string, Statement<unknown[], Row>>

export class SearchStatements {
  readonly #database: Database
  // By their text; the one that was not asked for the longest comes first.
  readonly #ofRows: Prepared = new Map()
  readonly #ofOne: Prepared = new Map()
  readonly #ofRecords: Prepared = new Map()

  constructor(database: Database) {
    this.#database = database
  }

  /** Every row; integers past 2^53 are rounded. */
  all(sql: string, params: readonly Bound[]): Row[] {
    return this.#prepare(this.#ofRows, sql).all(...params)
  }

  /** The first column of every row: a quarter of the work of rows, where it holds numbers of records. */
  records(sql: string, params: readonly Bound[]): number[] {
    return this.#prepare(this.#ofRecords, sql).all(...params) as unknown as number[]
  }

  /** The first row; integers past 2^53 are bigints. */
  first(sql: string, params: readonly Bound[]): Row | undefined {
    return this.#prepare(this.#ofOne, sql)
      .get(...params)
      ?.map((value) => (typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value))
  }

  #prepare(prepared: Prepared, sql: string): Statement<unknown[], Row> {
    let statement = prepared.get(sql)
    if (statement !== undefined) prepared.delete(sql)
    else {
      // Searches come in any number of shapes.
      if (prepared.size >= mostPrepared) prepared.delete(prepared.keys().next().value!)
      statement = this.#database.prepare<unknown[], Row>(hidingValues(sql))
      if (prepared === this.#ofRecords) statement.pluck(true)
      else statement.raw(true).safeIntegers(prepared === this.#ofOne)
    }
    prepared.set(sql, statement)
    return statement
  }
}

const mostPrepared = 250

/**
 * SQLite looks at bound values when it plans a statement, so that it plans it anew whenever others are bound, which takes up
 * to ten times as long as running it. Behind a sign it does not see them; searches name the indexes to use, whatever the values.
 */
const hidingValues = (sql: string): string => sql.replace(/'[^']*'|"[^"]*"|\?/g, (part) => (part === '?' ? '+?' : part))
