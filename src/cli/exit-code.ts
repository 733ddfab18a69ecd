/** The exit code of a command that failed, so that scripts can tell what to do next. */
import { ConexError, type ErrorCode, errorKinds } from '../errors.ts'

/** Every code and what it means; `--help` and the documents show this table. */
export const exitCodes = {
  0: 'done',
  1: 'something else went wrong, for example the service cannot be reached',
  2: 'mend the command: it does not fit, or what it names is not there',
  3: 'mend the access: the client, the credentials or their rights',
  4: 'wait and repeat: too many requests',
  5: 'the third-party system failed; repeat it later',
  130: 'Ctrl-C ended it (143: SIGTERM, 129: the terminal was closed)',
} as const

export type ExitCode = keyof typeof exitCodes

/** Ends a command that has told already how it went. */
export class Ended extends Error {
  readonly code: ExitCode
  constructor(code: ExitCode) {
    super(`ended with ${code}`)
    this.code = code
  }
}

export const exitCode = (error: unknown): ExitCode => (error instanceof ConexError ? codeOf(error.code) : 1)

/** The exit code for an error that was told, such as the last error of a sync. */
export function codeOf(code: ErrorCode): ExitCode {
  const { status } = errorKinds[code]
  if (code === 'invalid_credentials' || status === 401 || status === 403 || status === 424) return 3
  if (status === 429) return 4
  if (status < 500) return 2
  return status === 500 ? 1 : 5
}
