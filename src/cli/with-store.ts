/** Opens the store that the settings name, for commands that work on the database of a server, running or not. */
import { catalog } from '../connectors/index.ts'
import type { Settings } from '../server/settings.ts'
import type { Store } from '../store/store.ts'

export async function withStore<T>(work: (store: Store, settings: Settings) => Promise<T>): Promise<T> {
  const [{ openStore }, { parseSettings }] = await Promise.all([
    import('../store/open.ts'),
    import('../server/settings.ts'),
  ])
  const settings = parseSettings(Object.keys(catalog))
  const store = await openStore(settings.databaseUrl)
  try {
    return await work(store, settings)
  } finally {
    await store.close()
  }
}
