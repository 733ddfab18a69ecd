/** What a database says where there is no room for a write. */
import { ConexError } from '../errors.ts'

/** Of SQLite, also where the index of its log cannot grow; of PostgreSQL. */
const codes: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])

/** The error to throw in place of one that a database threw: its own, unless it is about room. */
export const toldFull = (error: unknown): unknown =>
  codes.has((error as { readonly code?: unknown } | null)?.code)
    ? new ConexError(
        'storage_full',
        'The disk of the server is full, so it cannot store anything; repeat the request when the operator has freed some space.',
        { cause: error },
      )
    : error

export const isFull = (error: unknown): boolean => error instanceof ConexError && error.code === 'storage_full'
