/** Carries errors from one thread or process to another, which would otherwise lose their class and what it holds. */
import { ConexError } from '../errors.ts'
import { LeaseLost } from './leases.ts'

export interface ThreadError {
  readonly error: Error
  readonly name: string
  readonly held: object
}

export function packError(thrown: unknown): ThreadError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { error, name: error.name, held: { ...error } }
}

export function unpackError({ error, name, held }: ThreadError): Error {
  const known = [ConexError, LeaseLost].find((one) => one.name === name)
  return Object.assign(known === undefined ? error : Object.setPrototypeOf(error, known.prototype), held)
}
