/** Finds a kind by its name: one of Conex, or one from outside that the environment or the folder's configuration names. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { kindNames, loadKind } from '../connectors/load.ts'
import { environment } from '../environment.ts'
import { ConexError } from '../errors.ts'

/** Throws one sentence if there is no such kind, or if those from outside cannot be used. */
export async function findKind(name: string): Promise<Connector> {
  const own = await loadKind(name)
  if (own !== null) return own
  const outside = await loadOutside(process.cwd())
  if (Object.hasOwn(outside, name)) return outside[name]!
  const known = [...kindNames, ...Object.keys(outside)]
  throw new ConexError('invalid_request', `There is no connector "${name}"; use one of ${known.join(', ')}.`)
}

/** By folder: a program may connect for each of its requests. */
const loaded = new Map<string, Promise<Catalog>>()

/** Loads what loads kinds only for programs that ask for one that Conex does not have. */
function loadOutside(folder: string): Promise<Catalog> {
  const load = async (): Promise<Catalog> => {
    const { configuredKinds } = await import('../loading/configured.ts')
    const names = await configuredKinds(environment, folder)
    if (names.length === 0) return {}
    const [{ loadKinds }, { joinKinds }] = await Promise.all([
      import('../loading/load-kinds.ts'),
      import('../loading/join-kinds.ts'),
    ])
    return joinKinds({}, await loadKinds(names, folder))
  }
  const loading = loaded.get(folder) ?? load()
  loaded.set(folder, loading)
  loading.catch(() => loaded.delete(folder))
  return loading
}
