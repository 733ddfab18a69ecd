/** Statements over the copies, prepared once each. */
import type { Database, Statement } from 'better-sqlite3'

type Value = string | number | bigint | null | Uint8Array

export class CopyStatements {
  readonly database: Database
  readonly #prepared = new Map<string, Statement<unknown[]>>()

  constructor(database: Database) {
    this.database = database
  }

  prepare(sql: string): Statement<unknown[]> {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      // Searches come in any number of shapes.
      if (this.#prepared.size >= mostPrepared) this.#prepared.clear()
      statement = this.database.prepare<unknown[]>(sql)
      this.#prepared.set(sql, statement)
    }
    return statement
  }

  run(sql: string, ...values: readonly Value[]): number {
    return this.prepare(sql).run(...values).changes
  }

  first<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  /** Does the work with one and the same state of the file before it, and no lock. */
  reading<T>(work: () => T): T {
    return this.database.transaction(work)()
  }

  /** Does the work under the write lock from its start; all of it or nothing. */
  transaction<T>(work: () => T): T {
    return this.database.transaction(work).immediate()
  }
}

const mostPrepared = 500
