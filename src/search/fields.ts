/** Reads the names of fields: a searchable field, or a dotted path into one that is an object. */

import { didYouMean } from '../catalog/did-you-mean.ts'
import type { FieldType } from '../catalog/entity.ts'
import { clipped } from './faults.ts'
import type { Path, Searchable } from './query.ts'

/** What a path leads to: a value of a declared type, or anything where nothing is declared. */
export type PathType = FieldType | 'anything'

export type PathResult = { readonly path: Path; readonly type: PathType } | { readonly fault: string }

/** More keys than this lead nowhere in any record that a system sends. */
const longestPath = 32

/** Whether a place in the query takes a field of this type under this name. */
export type Takes = (type: PathType, name: string) => boolean

/**
 * The path that a name means. Only what the place takes is proposed in its stead. Inside `any` (no searchable fields) every name
 * is a key of the element.
 */
export function readPath(searchable: Searchable | null, name: string, takes: Takes): PathResult {
  // A field is known by its whole name first.
  if (searchable !== null && Object.hasOwn(searchable, name)) return { path: [name], type: searchable[name]! }
  const keys = name.split('.')
  if (keys.length > longestPath) return { fault: `has more than ${longestPath} parts` }
  if (keys.includes(''))
    return { fault: searchable === null ? 'must be the name of a field' : unknown(searchable, name, takes) }
  const path = keys as unknown as Path
  if (searchable === null) return { path, type: 'anything' }
  const [field] = path
  if (!Object.hasOwn(searchable, field)) return { fault: unknown(searchable, name, takes) }
  const type = searchable[field]!
  if (type === 'object') return { path, type: 'anything' }
  if (type === 'array')
    return { fault: `leads into the array ${field}; use {"any": {"${field}": …}} to look at its elements` }
  const instead = takes(type, field) ? `; use "${field}"` : ''
  return { fault: `leads into ${field}, which has no fields inside${instead}` }
}

/** Says that a name is not known, and which one that the place takes may have been meant. */
export function unknown(searchable: Searchable, name: string, takes: Takes): string {
  const fields = Object.keys(searchable)
  const taken = fields.filter((field) => takes(searchable[field]!, field))
  const [, ...keys] = clipped(name).split('.')
  const paths = fields
    .filter((field) => keys.length > 0 && !keys.includes('') && searchable[field] === 'object')
    .map((field) => [field, ...keys].join('.'))
    .filter((path) => takes('anything', path))
  const meant = didYouMean(clipped(name), paths) || didYouMean(clipped(name), taken)
  return `is not a searchable field${meant || `; here it can be ${(taken.length > 0 ? taken : fields).join(', ')}`}`
}
