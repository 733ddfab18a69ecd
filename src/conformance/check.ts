/** One thing that must hold for every connector. */
import type { Subject } from './subject.ts'

export interface Check {
  /** A sentence about the connector. */
  readonly name: string
  /** The place to look at if it fails, as a sentence for the connector's author. */
  readonly mend: string
  run(subject: Subject): Promise<void> | void
}
