/** What an answer tells beside its records. */

/** A value that could not be handed out as declared, or a limit of the system that shows in this answer. */
export interface Warning {
  readonly path: string
  readonly message: string
}
