/** Reports unknown names, with the names that are known. */
import type { Issue } from '../errors.ts'
import { didYouMean } from './did-you-mean.ts'
import { truncate } from './truncate.ts'

/** A fault for each unknown name below a path: it suggests the nearest known name, or lists all of them. */
export function* unknownNames(given: object, known: readonly string[], path: string): Generator<Issue> {
  const missing = known.filter((name) => !Object.hasOwn(given, name) || given[name as never] === undefined)
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const guess = didYouMean(name, missing) || knownNames(known)
    yield { path: `${path}/${escapePointer(truncate(name))}`, message: `is not known here${guess}` }
  }
}

const knownNames = (known: readonly string[]): string =>
  known.length === 0 ? '; it takes none' : `; it takes ${known.join(', ')}`

/** A name as one part of a JSON Pointer (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
