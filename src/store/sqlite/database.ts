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
  readonly #version: Statement<[], number>
  readonly #remembered = new Map<string, unknown>()
  #rememberedAt = 0

  constructor(database: Database) {
    this.#database = database
    this.#version = database.prepare<[], number>('pragma data_version').pluck()
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
    this.#remembered.clear()
    const { sql, parameters } = query.compile()
    return this.#prepare(sql).run(...parameters).changes
  }

  /** Does the work under the write lock from its start, so that what it reads stays true until it writes; all of it or nothing. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work).immediate()
  }

  /**
   * What was read before under this key, as long as nobody has written to the database since: writes of this connection are known,
   * and those of others change a number that takes 1.4 µs to read, where a row of two tables takes 32 µs.
   */
  remembered<T>(key: string, read: () => T): T {
    const version = this.#version.get()!
    if (version !== this.#rememberedAt || this.#remembered.size >= mostRemembered) this.#remembered.clear()
    this.#rememberedAt = version
    if (this.#remembered.has(key)) return this.#remembered.get(key) as T
    const found = read()
    this.#remembered.set(key, found)
    return found
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

const mostRemembered = 10_000
