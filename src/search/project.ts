/** Reduces the data of a hit to the requested fields. */
import type { Json, Path } from './query.ts'

interface Wanted {
  /** Null if the whole value is requested. */
  inside: Map<string, Wanted> | null
}

/**
 * Creates the function that picks the fields out of a record's data: null where unknown, and elements of arrays one
 * by one.
 */
export function projection(fields: readonly Path[]): (data: Readonly<Record<string, Json>>) => Record<string, Json> {
  const wanted = wantedOf(fields)
  return (data) => pick(data, wanted) as Record<string, Json>
}

function wantedOf(fields: readonly Path[]): Map<string, Wanted> {
  const root: Wanted = { inside: new Map() }
  for (const path of fields) {
    let at = root
    for (const [index, key] of path.entries()) {
      // The whole value is already requested, so its parts add nothing.
      if (at.inside === null) break
      const last = index === path.length - 1
      const next = at.inside.get(key) ?? { inside: new Map() }
      at.inside.set(key, next)
      if (last) next.inside = null
      at = next
    }
  }
  return root.inside!
}

function pick(value: Json, wanted: Map<string, Wanted>): Json {
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted))
  if (typeof value !== 'object' || value === null) return null
  const source = value as { readonly [key: string]: Json }
  return Object.fromEntries(
    [...wanted].map(([key, { inside }]) => {
      const part = Object.hasOwn(source, key) ? source[key]! : null
      return [key, inside === null || part === null ? part : pick(part, inside)]
    }),
  )
}
