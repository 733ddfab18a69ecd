/** The params of search, the same for every entity that has it. */
import Type from 'typebox'
import { anyOf, array, arrayOf, closedObjectOf, integer, object, optional, text } from './fields.ts'
import { valueOperators } from './search-operators.ts'

const insteadOfEq = Object.keys(valueOperators).filter((name) => name !== 'eq')

export const searchParams = Type.Object(
  {
    query: closedObjectOf(
      {
        filter: optional(
          object(
            `One condition: {"eq": {"name": "Launch"}}, or ${insteadOfEq.join(', ')} in place of eq; {"in": {<field>: [values]}}, {"any": {<field>: condition}}, {"not": condition}, {"and": [conditions]}, {"or": [conditions]}.`,
          ),
        ),
        sort: optional(
          arrayOf(
            object(),
            'Fields and paths into objects, for example [{"created_at": "desc"}, {"assignee.name": "asc"}].',
          ),
        ),
      },
      'What to find and in which order.',
    ),
    limit: optional(integer('The maximum number of hits; 1000 by default.', { minimum: 1, maximum: 10_000 })),
    cursor: optional(text('The next_cursor of the previous answer.', { minLength: 1 })),
    fields: optional(arrayOf(anyOf([text(), array()]), 'The searchable fields to return; all by default.')),
  },
  { additionalProperties: false },
)
