/** Runs typed queries on a SQLite file. */
import type { Database, Statement } from 'better-sqlite3'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from './tables.ts'

/** Where queries are written; it never runs any. */
export const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (owner) => new SqliteIntrospector(owner),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * Runs queries at once, without a promise between them. A transaction that waited for a promise would hold the write lock meanwhile,
 * and another connection of the same process would wait for that lock and so keep the promise from ever being kept.
 */
export class Queries {
  readonly #database: Database
  // Queries come in few shapes, and preparing one costs more than running it.
  readonly #prepared = new Map<string, Statement<unknown[]>>()

  constructor(database: Database) {
    this.#database = database
  }

  all<Row>(query: Compilable<Row>): Row[] {
    const { sql, parameters } = query.compile()
    return this.#prepare(sql).all(...parameters) as Row[]
  }

  first<Row>(query: Compilable<Row>): Row | undefined {
    const { sql, parameters } = query.compile()
    return this.#prepare(sql).get(...parameters) as Row | undefined
  }

  /** Runs a query that gives nothing back; gives the number of rows it changed. */
  run(query: Compilable<unknown>): number {
    const { sql, parameters } = query.compile()
    return this.#prepare(sql).run(...parameters).changes
  }

  /** Does the work under the write lock from its start, so that what it reads stays true until it writes; all of it or nothing. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work).immediate()
  }

  #prepare(sql: string): Statement<unknown[]> {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare<unknown[]>(sql)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}
