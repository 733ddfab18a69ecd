/** Warnings of an answer, beside its records. */

/** A value that could not have its declared type, or a limit of the system that affects this answer. */
export interface Warning {
  readonly path: string
  readonly message: string
}
