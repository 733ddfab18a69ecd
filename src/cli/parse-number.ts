/** Parses numbers on the command line. */
import { InvalidArgumentError } from 'commander'

/** A whole number of zero or more; for commander. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

/** A number of seconds above zero; for commander. */
export function seconds(value: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('It must be a number of seconds.')
  return Number(value)
}
