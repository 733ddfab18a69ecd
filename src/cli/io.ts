/** What a command has around it; it uses nothing else of the process, so that several can run in one. */
import type { Readable, Writable } from 'node:stream'
import type { Screen } from './terminal/screen.ts'

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & Screen
  readonly stderr: Writable & Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts at Ctrl-C and its like, for commands that read: the call ends, and what was printed is whole lines. */
  interruption(): AbortSignal
  /** Resolves at Ctrl-C or a stop from the system, for commands that run until then. */
  untilStopped(): Promise<void>
  /** Does what Ctrl-C does, where a terminal hands it over as a key. */
  interrupt(): void
}

/** Why an interruption aborts. */
export class Interrupted extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}
