/** Runs the queries of the ordinary tables on PostgreSQL. */
import { createQueryId, PostgresQueryCompiler, sql } from 'kysely'
import { rowInCamelCase, snakeCase } from '../sql/names.ts'
import { change, type Queries, type Step, type Steps } from '../sql/steps.ts'
import type { Database, Session, Value } from './database.ts'

export function postgresQueries(database: Database): Queries {
  return {
    run: (steps) => answered(database, steps),
    transaction: (begin) => database.transaction((session) => answered(session, begin())),
    // What other nodes write is not seen from here.
    remembered: (_key, begin) => answered(database, begin()),
    *alone(table) {
      yield* change(sql`lock table ${sql.table(table)} in share row exclusive mode`)
    },
  }
}

/** Runs steps on one connection. */
export async function answered<Result>(session: Session, steps: Steps<Result>): Promise<Result> {
  let next = steps.next()
  while (next.done !== true) next = steps.next(await answer(session, next.value))
  return next.value
}

async function answer(session: Session, step: Step): Promise<unknown> {
  if ('own' in step) return step.own(session as never)
  const { query, gives } = step
  const { sql, parameters } = compiler.compileQuery(query.toOperationNode(), createQueryId())
  const values = parameters as readonly Value[]
  return gives === 'rows' ? (await session.all(sql, ...values)).map(rowInCamelCase) : session.run(sql, ...values)
}

class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCase(name))
  }
}

const compiler = new Compiler()
