/** Opens the store at an address. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Store } from './store.ts'

/**
 * Opens the store and creates missing tables, including those of copies, by the catalog. Several nodes can safely do
 * so at once.
 */
export async function openStore(url: string, catalog: Catalog = {}): Promise<Store> {
  const open = await opener(url)
  if (open === null)
    throw new Error(`The database address "${scheme(url)}…" is not supported. Use ${supportedDatabases.join(' or ')}.`)
  try {
    return await open(catalog)
  } catch (error) {
    throw isOfSystem(error) ? cannotBeOpened(error) : error
  }
}

type Open = (catalog: Catalog) => Store | Promise<Store>

/** Loads the code for the address, so that a missing library is reported first; null if no code opens it. */
export async function opener(url: string): Promise<Open | null> {
  const file = sqliteFile(url)
  if (file !== null) {
    const { openSqlite } = await import('./sqlite/sqlite.ts')
    return (catalog) => openSqlite(file, catalog)
  }
  if (isPostgres(url)) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return (catalog) => openPostgres(url, catalog)
  }
  return null
}

/** System and database errors have a code; errors that already say what to do have none. */
const isOfSystem = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && typeof (error as { code?: unknown }).code === 'string'

function cannotBeOpened(error: Error & { readonly code: string }): Error {
  // If a host has several addresses, there is one error for each, and no common message.
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [error]
  const isSqlite = error.code.startsWith('SQLITE_')
  // SQLite quotes unreadable file content in parentheses, which could be any stored bytes.
  const words = isSqlite ? error.message.split(' (', 1)[0] : first?.message
  return new Error(
    `The database cannot be opened: ${words || error.code}. Look whether it is there, and at its address, CONEX_DATABASE_URL.`,
    isSqlite ? {} : { cause: error },
  )
}

/** The supported forms of an address. */
export const supportedDatabases = ['sqlite:<path of a file>', 'postgres://<user>:<password>@<host>/<database>'] as const

/** The file in a SQLite address; null for an address of another form. */
export function sqliteFile(url: string): string | null {
  const file = /^sqlite:(?:\/\/(?=\/))?([^\0]+)$/.exec(url)?.[1]
  return file === undefined || file === ':memory:' || file.endsWith('/') ? null : file
}

/** Whether the address names a database on a PostgreSQL server. */
export const isPostgres = (url: string): boolean =>
  /^postgres(ql)?:\/\/[^/?#\s]*\/[^/?#\s]+(\?|$)/.test(url) && URL.canParse(url)

/** Whether the address has a supported form. */
export const isSupported = (url: string): boolean => sqliteFile(url) !== null || isPostgres(url)

// An address may contain a password, so only its beginning is ever shown.
const scheme = (url: string): string => /^[a-z][a-z0-9+.-]{0,20}:/i.exec(url)?.[0] ?? ''
