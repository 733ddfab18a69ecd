/**
 * Reads plain values where a system may have sent anything: `String` and `Number` throw at an object that has a field
 * `toString`, and read a list as what is in it.
 */

/** A text, a number or a truth value as text; empty for anything else. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : ''

/** A number, or a text that holds one; NaN for anything else. */
export const plainNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value !== '')
    ? Number(value)
    : Number.NaN
