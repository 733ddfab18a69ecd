/**
 * Reads plain values where a system may have sent anything: `String` and `Number` throw at an object that has a field
 * `toString`, and read a list as what is in it.
 */
import { ExactNumber } from '../json.ts'

/** A text, a number or a truth value as text; empty for anything else. */
export const plainText = (value: unknown): string =>
  isNumeric(value) || typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''

/** A number, or a text that holds one; NaN for anything else. */
export const plainNumber = (value: unknown): number =>
  isNumeric(value) || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN

/** Whether a system sent it as a number, whatever it takes to hold it. */
export const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber
