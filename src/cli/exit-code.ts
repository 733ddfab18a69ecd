/** The exit code of a command that failed, so that scripts can tell what to do next. */
import { ConexError, errorKinds } from '../errors.ts'

/** 2 mend the call, 3 mend the access, 4 wait and repeat, 5 the third-party system failed, 1 anything else. */
export function exitCode(error: unknown): number {
  if (!(error instanceof ConexError)) return 1
  const { status } = errorKinds[error.code]
  if (error.code === 'invalid_credentials' || status === 401 || status === 403 || status === 424) return 3
  if (status === 429) return 4
  if (status < 500) return 2
  return status === 500 ? 1 : 5
}
