/**
 * Work on the ordinary tables, written once for a database that answers at once and for one that answers later: a function
 * that yields one query after another and is given the answer to each. SQLite runs it without a promise in between, since a
 * transaction that waited for one would keep its lock meanwhile; PostgreSQL waits for every answer.
 */
import type { Compilable, RawBuilder, RootOperationNode } from 'kysely'

/** A query that gives rows of this shape. */
export type Query<Row> = (Compilable<Row> | RawBuilder<Row>) & { toOperationNode(): RootOperationNode }

/** A query to run, and what its answer is: rows, or how many of them changed; or what a database does in a way of its own. */
export type Step =
  | { readonly query: Query<unknown>; readonly gives: 'rows' | 'changes' }
  | { readonly own: (connection: never) => unknown }

/** Steps that end with a result. An error ends them too; they never see it. */
export type Steps<Result> = Generator<Step, Result, unknown>

/** How a database runs steps. */
export interface Queries {
  /** Runs steps, each on its own. */
  run<Result>(steps: Steps<Result>): Promise<Result>
  /** Runs steps all of them or none. They may be begun anew when others were in their way. */
  transaction<Result>(begin: () => Steps<Result>): Promise<Result>
  /** Runs steps that only read, unless it is known what they gave under this key and that nothing was written since. */
  remembered<Result>(key: string, begin: () => Steps<Result>): Promise<Result>
  /** Keeps all others from writing to the table until the transaction ends. */
  alone(table: 'organizations' | 'copyTables'): Steps<void>
}

export function* all<Row>(query: Query<Row>): Steps<Row[]> {
  return (yield { query, gives: 'rows' }) as Row[]
}

export function* first<Row>(query: Query<Row>): Steps<Row | undefined> {
  return (yield* all(query))[0]
}

/** Gives the number of rows that changed. */
export function* change(query: Query<unknown>): Steps<number> {
  return (yield { query, gives: 'changes' }) as number
}

/** Work on the connection itself, in its database's own way. */
export function* own<Connection, Result>(
  work: (connection: Connection) => Result | Promise<Result>,
): Steps<Awaited<Result>> {
  return (yield { own: work }) as Awaited<Result>
}
