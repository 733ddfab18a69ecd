/** Runs the queries of the ordinary tables on a SQLite file. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Statement } from 'better-sqlite3'
import { createQueryId, type SelectModifierNode, SqliteQueryCompiler } from 'kysely'
import { rowInCamelCase, snakeCase } from '../sql/names.ts'
import type { Queries, Query, Step, Steps } from '../sql/steps.ts'

/**
 * Runs queries at once, without a promise between them. A transaction that waited for a promise would hold the write lock meanwhile,
 * and another connection of the same process would wait for that lock and so keep the promise from ever being kept.
 */
export class SqliteQueries implements Queries {
  readonly #database: Database
  readonly #told: (error: unknown) => unknown
  // Queries come in few shapes, and preparing one costs more than running it.
  readonly #prepared = new Map<string, Statement<unknown[]>>()
  readonly #version: Statement<[], number>
  readonly #remembered = new Map<string, unknown>()
  #rememberedAt = 0

  /** `told` gives what to throw in place of an error. */
  constructor(database: Database, told: (error: unknown) => unknown = (error) => error) {
    this.#database = database
    this.#told = told
    this.#version = database.prepare<[], number>('pragma data_version').pluck()
  }

  async run<Result>(steps: Steps<Result>): Promise<Result> {
    let next = steps.next()
    while (next.done !== true) {
      const step = next.value
      next = steps.next(await this.#patiently(() => this.#answer(step)))
    }
    return next.value
  }

  /** Holds the write lock from its start, so that its reads stay true until it writes. */
  transaction<Result>(begin: () => Steps<Result>): Promise<Result> {
    return this.#patiently(() => this.#database.transaction(() => this.#run(begin())).immediate())
  }

  /** Waits for another connection that writes, and lets the event loop go on meanwhile. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    for (const end = performance.now() + patience; ; ) {
      try {
        return work()
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() > end) throw this.#told(error)
        await wait(5 + Math.random() * 20)
      }
    }
  }

  async remembered<Result>(key: string, begin: () => Steps<Result>): Promise<Result> {
    return this.known(key, begin)
  }

  /** The same at once. Writes of this connection are known; writes of others change a number, which takes a tenth of reading a row. */
  known<Result>(key: string, begin: () => Steps<Result>): Result {
    const version = this.#version.get()!
    if (version !== this.#rememberedAt || this.#remembered.size >= mostRemembered) this.#remembered.clear()
    this.#rememberedAt = version
    if (!this.#remembered.has(key)) this.#remembered.set(key, this.#run(begin()))
    return this.#remembered.get(key) as Result
  }

  /** The holder of the write lock is alone already. */
  *alone(): Steps<void> {}

  #run<Result>(steps: Steps<Result>): Result {
    let next = steps.next()
    while (next.done !== true) next = steps.next(this.#answer(next.value))
    return next.value
  }

  #answer(step: Step): unknown {
    if ('own' in step) return step.own(this.#database as never)
    const { query, gives } = step
    const { sql, values } = compiledQuery(query)
    const statement = this.#prepare(sql)
    if (!statement.readonly) this.#remembered.clear()
    return gives === 'rows' ? statement.all(...values).map(rowInCamelCase) : statement.run(...values).changes
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

/** How long another connection is waited for, in milliseconds. */
const patience = 5_000

const mostRemembered = 10_000

class Compiler extends SqliteQueryCompiler {
  /** SQLite has no locks of rows and needs none: a transaction has all of the file to itself. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }

  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCase(name))
  }
}

const compiler = new Compiler()

/** SQLite has no booleans. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** A query in SQLite's words, and its values. */
export function compiledQuery(query: Query<unknown>): { readonly sql: string; readonly values: readonly unknown[] } {
  const { sql, parameters } = compiler.compileQuery(query.toOperationNode(), createQueryId())
  return { sql, values: parameters.map(bound) }
}
