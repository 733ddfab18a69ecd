/** The params of SQL over a copy. */
import Type from 'typebox'
import { integer, optional, text } from './fields.ts'

/** The names of SQL over the copies, as an action. */
export const sqlActions: ReadonlySet<string> = new Set(['sql', 'context_store_sql_query'])

/** Longer statements take long to parse. */
export const statementLengths = { minLength: 1, maxLength: 20_000 } as const

export const usualRows = 1000

export const rowLimits = { minimum: 1, maximum: 10_000 } as const

export const sqlParams = Type.Object(
  {
    sql: text(
      'One select statement. Its tables are the entities, and their columns the searchable fields.',
      statementLengths,
    ),
    limit: optional(integer(`The maximum number of rows; ${usualRows} by default.`, rowLimits)),
  },
  { additionalProperties: false },
)
