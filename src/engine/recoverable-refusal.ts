/** Errors that another request may avoid: thrown to the code that can send it, and to the caller if no code can. */
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

/** Thrown to the paging styles if the system says that fewer records on a page may work. */
export class PageTooLarge extends RecoverableRefusal {}

/** Thrown in the same way if a single record is to blame: when it is alone on a page, some lists can step over it. */
export class RecordBroken extends PageTooLarge {}

/** Thrown to the code that selected the fields if the system does not know one of them. */
export class FieldUnknown extends RecoverableRefusal {
  readonly field: string
  constructor(error: ConexError, field: string) {
    super(error)
    this.field = field
  }
}

/** The error in a form that says how to recover, if another request may help. */
export function recoverable({ smallerPage, brokenRecord, unknownField }: Refusal, error: ConexError): Error {
  if (brokenRecord) return new RecordBroken(error)
  if (smallerPage) return new PageTooLarge(error)
  return unknownField === undefined ? error : new FieldUnknown(error, unknownField)
}
