/** Reads the names of fields: a searchable field, or a dotted path into one that is an object. */
import type { FieldType } from '../catalog/entity.ts'
import { didYouMean } from '../catalog/nearest.ts'
import { clipped } from './faults.ts'
import type { Path, Searchable } from './query.ts'

/** What a path leads to: a value of a declared type, or anything where nothing is declared. */
export type PathType = FieldType | 'anything'

export type PathResult = { readonly path: Path; readonly type: PathType } | { readonly fault: string }

/** More keys than this lead nowhere in any record that a system sends. */
const longestPath = 32

/** The path that a name means in a filter. Inside `any` (no searchable fields) every name is a key of the element. */
export function readPath(searchable: Searchable | null, name: string): PathResult {
  // A field is known by its whole name first.
  if (searchable !== null && Object.hasOwn(searchable, name)) return { path: [name], type: searchable[name]! }
  const keys = name.split('.')
  if (keys.length > longestPath) return { fault: `has more than ${longestPath} parts` }
  if (keys.includes(''))
    return { fault: searchable === null ? 'has to be the name of a field' : unknown(searchable, name) }
  const path = keys as unknown as Path
  if (searchable === null) return { path, type: 'anything' }
  const [field] = path
  if (!Object.hasOwn(searchable, field)) return { fault: unknown(searchable, name) }
  const type = searchable[field]!
  if (type === 'object') return { path, type: 'anything' }
  return {
    fault:
      type === 'array'
        ? `leads into the array ${field}; use {"any": {"${field}": …}} to look at its elements`
        : `leads into ${field}, which has no fields inside; use "${field}"`,
  }
}

/** Says that a name is not known, and which one may have been meant. */
export function unknown(searchable: Searchable, name: string): string {
  const known = Object.keys(searchable)
  return `is not a searchable field${didYouMean(clipped(name), known) || `; they are ${known.join(', ')}`}`
}
