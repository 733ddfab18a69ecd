/** The params of SQL over a copy. */
import Type from 'typebox'
import { integer, optional, text } from './fields.ts'

/** Longer statements take long to parse. */
const longestStatement = 20_000

export const sqlParams = Type.Object(
  {
    sql: text('One select statement. Its tables are the entities, and their columns the searchable fields.', {
      minLength: 1,
      maxLength: longestStatement,
    }),
    limit: optional(integer('The maximum number of rows; 1000 by default.', { minimum: 1, maximum: 10_000 })),
  },
  { additionalProperties: false },
)
