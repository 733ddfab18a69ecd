/** Reads query strings and forms as pairs, in the order in which they were sent. */

export interface Pair {
  readonly name: string
  readonly value: string
  /** The pair as it was written, for answers that repeat it. */
  readonly raw: string
}

/** Undoes percent-encoding; text that is not validly encoded stays as it is. */
export function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

export function readQuery(query: string): Pair[] {
  const pairs: Pair[] = []
  if (query === '') return pairs
  for (const raw of query.split('&')) {
    if (raw === '') continue
    const equals = raw.indexOf('=')
    const name = decode(equals < 0 ? raw : raw.slice(0, equals))
    pairs.push({ name, value: equals < 0 ? '' : decode(raw.slice(equals + 1)), raw })
  }
  return pairs
}

/** The first value of each name. */
export function valuesOf(pairs: readonly Pair[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of pairs) if (!values.has(pair.name)) values.set(pair.name, pair.value)
  return values
}
