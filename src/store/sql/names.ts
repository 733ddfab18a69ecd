/** Tables and columns are named in camelCase in queries and their rows, and in snake_case in the database. */

/** Remembers the answers: there are as many names as there are columns. */
const remembering = (rename: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name) ?? rename(name)
    known.set(name, found)
    return found
  }
}

export const snakeCase = remembering((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const camelCase = remembering((name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

/** A row as queries name its columns. */
export function rowInCamelCase(row: unknown): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const name in row as object) named[camelCase(name)] = (row as Record<string, unknown>)[name]
  return named
}
