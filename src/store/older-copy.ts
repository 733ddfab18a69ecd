/** Searches of a copy that has the fields of another version. */
import { testOf } from '../search/evaluate.ts'
import type { Condition, Path, Query, Searchable } from '../search/query.ts'

/**
 * The query as a table answers it that holds other fields than those that are wanted: what it does not hold is null in all of its
 * records.
 */
export function queryFor(query: Query, wanted: Searchable, held: Searchable): Query {
  if (held === wanted) return query
  const isHeld = ([field]: Path): boolean => held[field] === wanted[field]
  const met = (condition: Condition): Condition => {
    switch (condition.op) {
      case 'and':
      case 'or':
        return { ...condition, of: condition.of.map(met) }
      case 'not':
        return { ...condition, of: met(condition.of) }
      default:
        return isHeld(condition.path) ? condition : testOf(condition)({ [condition.path[0]]: null }) ? all : none
    }
  }
  const fields = query.fields ?? Object.keys(wanted).map((field): Path => [field])
  return {
    ...query,
    filter: met(query.filter),
    sort: query.sort.filter(({ path }) => isHeld(path)),
    // A missing field comes out as null; a value of another type would not.
    fields: fields.filter((path) => isHeld(path) || !Object.hasOwn(held, path[0])),
  }
}

const all: Condition = { op: 'and', of: [] }
const none: Condition = { op: 'not', of: all }
