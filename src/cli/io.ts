/** The environment of a command. A command uses nothing else of the process, so several can run in one. */
import type { Readable, Writable } from 'node:stream'
import type { Screen } from './terminal/screen.ts'

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & Screen
  readonly stderr: Writable & Screen
  /** Where the command runs. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Aborts on Ctrl-C and similar signals, for commands that read: the call ends, and all printed lines are complete.
   */
  interruption(): AbortSignal
  /** Resolves on Ctrl-C or a stop signal, for commands that run until then. */
  untilStopped(): Promise<void>
  /** Does what Ctrl-C does, if a terminal passes it on as a key. */
  interrupt(): void
}

/** The abort reason of an interruption. */
export class Interrupted extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}
