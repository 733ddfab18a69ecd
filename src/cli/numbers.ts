/** Reads a number from the command line. */
import { InvalidArgumentError } from 'commander'

/** A whole number of zero or more; for commander. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It has to be a whole number.')
  return Number(value)
}
