/** The databases' errors for a write without room. */
import { ConexError } from '../errors.ts'

/** From SQLite, also if the index of its log cannot grow; from PostgreSQL. */
const codes: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])

/** The error to throw for a database error: `storage_full` if it is about room, otherwise the error itself. */
export const toldFull = (error: unknown): unknown =>
  codes.has((error as { readonly code?: unknown } | null)?.code)
    ? new ConexError(
        'storage_full',
        'The disk of the server is full, so it cannot store anything; repeat the request when the operator has freed some space.',
        { cause: error },
      )
    : error

export const isFull = (error: unknown): boolean => error instanceof ConexError && error.code === 'storage_full'
