/** Opens the store that an address names. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Store } from './store.ts'

/** Opens the store and brings its tables up to date, those of copies to what the catalog says. Safe when several nodes do so at once. */
export async function openStore(url: string, catalog: Catalog = {}): Promise<Store> {
  const file = sqliteFile(url)
  if (file === null)
    throw new Error(`The database address "${scheme(url)}…" is not supported. Use ${supportedDatabases.join(' or ')}.`)
  const { openSqlite } = await import('./sqlite/sqlite.ts')
  return openSqlite(file, catalog)
}

/** The forms of address that can be opened. */
export const supportedDatabases = ['sqlite:<path of a file>'] as const

/** The file that a SQLite address names, or null when the address is of another form. */
export function sqliteFile(url: string): string | null {
  const file = /^sqlite:(?:\/\/(?=\/))?([^\0]+)$/.exec(url)?.[1]
  return file === undefined || file === ':memory:' || file.endsWith('/') ? null : file
}

// An address may carry a password, so that only its beginning is ever shown.
const scheme = (url: string): string => /^[a-z][a-z0-9+.-]{0,20}:/i.exec(url)?.[0] ?? ''
