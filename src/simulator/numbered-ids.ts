/** Ids as pure arithmetic: each kind of record has its own form of number, and each number identifies its record. */

export interface NumberedIds<Space extends string> {
  idOf(space: Space, index: number): string
  /** The space and index of an id; undefined if no record can have it. */
  read(id: string): { readonly space: Space; readonly index: number } | undefined
  /** The index in an id; 0 in one that no record can have. */
  indexOf(id: string): number
}

const digits = 15

/**
 * Each space has a prefix, after which 15 digits count in steps. Prefixes may begin alike if they differ in length. The
 * distance between neighbours varies, as in real ids.
 */
export function numberedIds<const Space extends string>(
  prefixes: Readonly<Record<Space, string>>,
  { base, step }: { readonly base: number; readonly step: number },
): NumberedIds<Space> {
  const spaces = new Map(Object.entries<string>(prefixes).map(([space, prefix]) => [prefix, space as Space]))

  function jitter(space: Space, index: number): number {
    const x = Math.imul((index + 1) ^ (index >>> 13), 0x5bd1e995) ^ Math.imul(Number(prefixes[space]), 0x9e3779b1)
    return ((x ^ (x >>> 15)) >>> 0) % step
  }

  const idOf = (space: Space, index: number): string =>
    prefixes[space] + String(base + index * step + jitter(space, index))

  function read(id: string) {
    const space = spaces.get(id.slice(0, -digits))
    if (space === undefined) return undefined
    const index = Math.floor((Number(id.slice(-digits)) - base) / step)
    return index >= 0 && idOf(space, index) === id ? { space, index } : undefined
  }

  return { idOf, read, indexOf: (id) => read(id)?.index ?? 0 }
}
