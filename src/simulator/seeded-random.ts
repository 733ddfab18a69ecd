/** Random values without state: the same seed, name and number always give the same value, in any order. */

/** Spreads a number over 32 bits. */
export function mix(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}

/** A sequence of values for one purpose: `draw(n)` is the nth, a whole number from 0 to 2^32 - 1. */
export type Draw = (index: number) => number

export function seededRandom(seed: number, purpose: string): Draw {
  let salt = mix(seed + 0x9e3779b9)
  for (let i = 0; i < purpose.length; i++) salt = mix(salt ^ purpose.charCodeAt(i))
  return (index) => mix(salt ^ mix(index) ^ Math.floor(index / 0x1_0000_0000))
}

/** The element for a drawn number. */
export function pick<T>(values: readonly T[], drawn: number): T {
  return values[drawn % values.length] as T
}
