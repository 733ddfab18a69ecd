/** The value at a path of an answer; undefined if there is none. */
export function valueAt(body: unknown, path: readonly string[]): unknown {
  let found = body
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}
