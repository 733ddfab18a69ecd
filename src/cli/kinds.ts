/** The connector kinds that a command knows: those of Conex, and those from outside that its environment names. */
import type { Catalog } from '../catalog/catalog.ts'
import { catalog } from '../connectors/index.ts'
import type { LoadedKind } from '../loading/load-kinds.ts'
import type { SimulatedSystem } from '../simulator/system.ts'
import type { Io } from './io.ts'

export interface Kinds {
  /** Every kind. Throws if one from outside cannot be used, so that commands that need none still run. */
  readonly catalog: Catalog
  /** The kinds from outside of Conex. Throws the same. */
  readonly outside: readonly LoadedKind[]
  /** The simulated systems of all kinds that have one. */
  simulators(): Promise<readonly SimulatedSystem[]>
}

/** The environment of a command, with the kinds that it names. */
export interface CommandIo extends Io {
  readonly kinds: Kinds
}

/** Loads the kinds that the environment names. A fault is kept for the commands that need them. */
export async function withKinds(io: Io): Promise<CommandIo> {
  const loaded = await loadFrom(io).catch((error: unknown) => ({ error }))
  const sound = (): Loaded => {
    if ('error' in loaded) throw loaded.error
    return loaded
  }
  const kinds: Kinds = {
    get catalog() {
      return sound().catalog
    },
    get outside() {
      return sound().outside
    },
    async simulators() {
      const { outside } = sound()
      const { simulators } = await import('../connectors/simulators.ts')
      const others = await Promise.all(outside.map((kind) => kind.simulator()))
      return [...Object.values(simulators), ...others.filter((one) => one !== null)]
    },
  }
  return { ...io, kinds }
}

interface Loaded {
  readonly catalog: Catalog
  readonly outside: readonly LoadedKind[]
}

/** Commands start fast: what loads kinds is itself loaded only for those who name some. */
async function loadFrom({ env, folder }: Io): Promise<Loaded> {
  const { configuredKinds } = await import('../loading/configured.ts')
  const names = await configuredKinds(env, folder)
  if (names.length === 0) return { catalog, outside: [] }
  const [{ loadKinds }, { joinKinds }] = await Promise.all([
    import('../loading/load-kinds.ts'),
    import('../loading/join-kinds.ts'),
  ])
  const outside = await loadKinds(names, folder)
  return { catalog: joinKinds(catalog, outside), outside }
}
