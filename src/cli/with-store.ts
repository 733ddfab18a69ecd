/** Opens the store of the settings, for commands that work directly on a server's database. */
import { existsSync } from 'node:fs'
import { ConexError } from '../errors.ts'
import type { Settings } from '../server/settings.ts'
import type { Store } from '../store/store.ts'
import type { CommandIo } from './kinds.ts'

/** Refuses a database that does not exist: creating an empty one would hide a wrong address. */
export async function withStore<T>(
  { env, kinds }: CommandIo,
  work: (store: Store, settings: Settings) => Promise<T>,
  missing: 'refuse' | 'make' = 'refuse',
): Promise<T> {
  const [{ opener, openStore, sqliteFile }, { parseSettings }] = await Promise.all([
    import('../store/open.ts'),
    import('../server/settings.ts'),
  ])
  const settings = parseSettings(Object.keys(kinds.catalog), env)
  await opener(settings.databaseUrl)
  const file = sqliteFile(settings.databaseUrl)
  if (missing === 'refuse' && file !== null && !existsSync(file))
    throw new ConexError(
      'invalid_request',
      `There is no database at ${file}; start the server once, or check CONEX_DATABASE_URL.`,
    )
  const store = await openStore(settings.databaseUrl)
  try {
    return await work(store, settings)
  } finally {
    await store.close()
  }
}
