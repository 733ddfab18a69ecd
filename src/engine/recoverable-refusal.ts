/** Errors that another request may avoid: thrown to the code that can make it, and to the caller where none does. */
import type { Refusal } from '../catalog/refusal.ts'
import type { ConexError } from '../errors.ts'

export class RecoverableRefusal extends Error {
  /** For the caller. */
  readonly error: ConexError
  constructor(error: ConexError) {
    super(error.message)
    this.name = new.target.name
    this.error = error
  }
}

/** Thrown to the paging styles when the system says that fewer records on a page may work. */
export class PageTooLarge extends RecoverableRefusal {}

/** Thrown likewise when a single record is to blame: once it stands alone, some lists can step over it. */
export class RecordBroken extends PageTooLarge {}

/** Thrown to the code that selected the fields when the system does not know one of them. */
export class FieldUnknown extends RecoverableRefusal {
  readonly field: string
  constructor(error: ConexError, field: string) {
    super(error)
    this.field = field
  }
}

/** The error in the form that tells how to recover, where another request may do better. */
export function recoverable({ smallerPage, brokenRecord, unknownField }: Refusal, error: ConexError): Error {
  if (brokenRecord) return new RecordBroken(error)
  if (smallerPage) return new PageTooLarge(error)
  return unknownField === undefined ? error : new FieldUnknown(error, unknownField)
}
