/** Prepared statements of searches. */
import type { Database, Statement } from 'better-sqlite3'
import type { Value } from '../search/bindings.ts'
import type { Row } from '../search/dialect.ts'

export class SearchStatements {
  readonly #database: Database
  /** By their text; the least recently used comes first. */
  readonly #prepared = new Map<string, Statement<unknown[], Row>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Every row. The values are `$1`, `$2` and so on. */
  rows(sql: string, values: readonly Value[]): Row[] {
    const named: Record<string, unknown> = {}
    for (const [place, value] of values.entries()) named[place + 1] = typeof value === 'boolean' ? Number(value) : value
    return this.#prepare(sql).all(named)
  }

  #prepare(sql: string): Statement<unknown[], Row> {
    let statement = this.#prepared.get(sql)
    if (statement !== undefined) this.#prepared.delete(sql)
    else {
      // Searches come in any number of forms.
      if (this.#prepared.size >= mostPrepared) this.#prepared.delete(this.#prepared.keys().next().value!)
      statement = this.#database.prepare<unknown[], Row>(sql).raw(true)
    }
    this.#prepared.set(sql, statement)
    return statement
  }
}

const mostPrepared = 250
