/** Reads the params of a search. */
import { didYouMean } from '../catalog/did-you-mean.ts'
import { searchParams } from '../catalog/search-params.ts'
import { clipped, Faults, Place } from './faults.ts'
import { readPath, type Takes, unknown } from './fields.ts'
import { parseFilter } from './parse-filter.ts'
import type { Path, Query, Searchable, SortKey } from './query.ts'

export const defaultLimit = 1000
export const largestLimit = 10_000

/** More than a caller has use for, and less than would make work. */
const mostFields = 1000
const mostSorted = 32
const longestFieldPath = 32

/**
 * The query that the params of a search say. 422 `invalid_query` with the place of every fault, as a JSON Pointer into the
 * request in which the params stand at `at`.
 */
export function parseQuery(searchable: Searchable, params: unknown, at = '/params'): Query {
  const faults = new Faults()
  const root = new Place(at)
  const given = object(params, root, faults)
  refuseOthers(given, Object.keys(searchParams.properties), root, faults)
  const queryAt = root.step('query')
  const query = object(given.query, queryAt, faults)
  refuseOthers(query, Object.keys(searchParams.properties.query.properties), queryAt, faults)
  const parsed: Query = {
    filter:
      query.filter === undefined
        ? { op: 'and', of: [] }
        : parseFilter(searchable, query.filter, queryAt.step('filter'), faults),
    sort: parseSort(searchable, query.sort, queryAt.step('sort'), faults),
    fields: parseFields(searchable, given.fields, root.step('fields'), faults),
    limit: parseLimit(given.limit, root.step('limit'), faults),
    cursor: parseCursor(given.cursor, root.step('cursor'), faults),
  }
  faults.throwAny()
  return parsed
}

function object(value: unknown, at: Place, faults: Faults): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  faults.add(at, value === undefined ? 'is required' : 'must be an object')
  return {}
}

/** Notes the names that mean nothing here, so that a misspelt one is not passed over in silence. */
function refuseOthers(given: object, known: readonly string[], at: Place, faults: Faults): void {
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  for (const name of Object.keys(given)) {
    if (faults.full) return
    if (!known.includes(name))
      faults.add(
        at.step(name),
        `is not known here${didYouMean(clipped(name), missing) || `; it takes ${known.join(', ')}`}`,
      )
  }
}

function parseSort(searchable: Searchable, sort: unknown, at: Place, faults: Faults): SortKey[] {
  if (sort === undefined) return []
  if (!Array.isArray(sort)) {
    faults.add(at, 'must be a list, for example [{"created_at": "desc"}]')
    return []
  }
  if (sort.length > mostSorted) faults.add(at, `has more than ${mostSorted} fields`)
  const keys = new Map<string, SortKey>()
  const takes: Takes = (type, name) => type !== 'object' && type !== 'array' && !keys.has(name)
  for (let index = 0; index < sort.length && index < mostSorted && !faults.full; index++) {
    const item: unknown = sort[index]
    const place = at.step(index)
    const entries = typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item) : []
    const [field, direction] = entries[0] ?? ['', '']
    if (entries.length !== 1) {
      faults.add(place, 'must be {field: "asc"} or {field: "desc"}, with one field')
      continue
    }
    const found = readPath(searchable, field, takes)
    if (isOfArray(searchable, field))
      faults.add(place.step(field), 'is in an array, which has no order; sort by a field outside of arrays')
    else if ('fault' in found) faults.add(place.step(field), found.fault)
    else if (found.type === 'object')
      faults.add(
        place.step(field),
        'is an object, which has no order; sort by a field inside it, with a dot between the two',
      )
    else if (direction !== 'asc' && direction !== 'desc') faults.add(place.step(field), 'must be "asc" or "desc"')
    else if (keys.has(field)) faults.add(place.step(field), 'is already in the sort; name each field once')
    else keys.set(field, { path: found.path, descending: direction === 'desc' })
  }
  return [...keys.values()]
}

function isOfArray(searchable: Searchable, name: string): boolean {
  const [field] = Object.hasOwn(searchable, name) ? [name] : name.split('.')
  return Object.hasOwn(searchable, field!) && searchable[field!] === 'array'
}

function parseFields(searchable: Searchable, fields: unknown, at: Place, faults: Faults): Path[] | null {
  if (fields === undefined) return null
  if (!Array.isArray(fields)) {
    faults.add(at, 'must be a list of fields')
    return null
  }
  if (fields.length > mostFields) faults.add(at, `has more than ${mostFields} fields`)
  const paths: Path[] = []
  for (let index = 0; index < fields.length && index < mostFields && !faults.full; index++) {
    const item: unknown = fields[index]
    const keys = typeof item === 'string' ? (Object.hasOwn(searchable, item) ? [item] : item.split('.')) : item
    const [field] = Array.isArray(keys) ? (keys as unknown[]) : []
    const place = at.step(index)
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string') || keys.includes('') || keys.length === 0)
      faults.add(
        place,
        typeof item === 'string' ? unknown(searchable, item, anything) : 'must be a field, or a list of keys',
      )
    else if (keys.length > longestFieldPath) faults.add(place, `has more than ${longestFieldPath} parts`)
    else if (!Object.hasOwn(searchable, field as string))
      faults.add(place, unknown(searchable, keys.join('.'), anything))
    else if (keys.length > 1 && searchable[field as string] !== 'object' && searchable[field as string] !== 'array')
      faults.add(place, `leads into ${field}, which has no fields inside; use "${field}"`)
    else paths.push(keys as unknown as Path)
  }
  return paths
}

const anything: Takes = () => true

function parseLimit(limit: unknown, at: Place, faults: Faults): number {
  if (limit === undefined) return defaultLimit
  if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= largestLimit) return limit as number
  faults.add(at, `must be a whole number from 1 to ${largestLimit}`)
  return defaultLimit
}

function parseCursor(cursor: unknown, at: Place, faults: Faults): string | null {
  if (cursor === undefined) return null
  if (typeof cursor === 'string' && cursor !== '') return cursor
  faults.add(at, 'must be the next_cursor of the previous answer')
  return null
}
