/** The exit code of a failed command tells a script what to do next. */
import { ConexError, type ErrorCode, errorKinds } from '../errors.ts'

/** Every code with its meaning; `--help` and the documents show this table. */
export const exitCodes = {
  0: 'success',
  1: 'another error, for example the service cannot be reached',
  2: 'the command is wrong, or names something that does not exist: correct it',
  3: 'access is missing: check the client, the credentials or their rights',
  4: 'too many requests: wait and repeat',
  5: 'the third-party system failed: repeat later',
  130: 'Ctrl-C ended the command (143: SIGTERM, 129: the terminal was closed)',
} as const

export type ExitCode = keyof typeof exitCodes

/** Ends a command that has already printed its result. */
export class Ended extends Error {
  readonly code: ExitCode
  constructor(code: ExitCode) {
    super(`ended with ${code}`)
    this.code = code
  }
}

export const exitCode = (error: unknown): ExitCode => (error instanceof ConexError ? codeOf(error.code) : 1)

/** The exit code for a reported error, such as the last error of a sync. */
export function codeOf(code: ErrorCode): ExitCode {
  const { status } = errorKinds[code]
  if (code === 'invalid_credentials' || status === 401 || status === 403 || status === 424) return 3
  if (status === 429) return 4
  if (status < 500) return 2
  return status === 500 ? 1 : 5
}
