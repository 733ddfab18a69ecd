/**
 * Reads plain values from untrusted answers: `String` and `Number` throw for an object with a field `toString`, and
 * convert a list to its content.
 */
import { ExactNumber } from '../json.ts'

/** A text, number or boolean as text; empty for anything else. */
export const plainText = (value: unknown): string =>
  isNumeric(value) || typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''

/** A number, or a text that contains one; NaN for anything else. */
export const plainNumber = (value: unknown): number =>
  isNumeric(value) || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN

/** Whether the system sent a number, in any representation. */
export const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber
