/** Finds the kind that a command names, by its name or by the place of its connector. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findConnector } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import type { SimulatedSystem } from '../simulator/system.ts'
import { findKind } from './find-kind.ts'
import type { CommandIo } from './kinds.ts'

export interface OwnKind {
  readonly connector: Connector
  /** Where it was loaded from; null for a kind of Conex. */
  readonly from: string | null
  /** Its simulated system; null if it has none. */
  simulator(): Promise<SimulatedSystem | null>
}

/** By the name of a kind, or by a folder or file, such as `./connectors/library`, that need not be configured. */
export async function findOwnKind(name: string, io: CommandIo): Promise<OwnKind> {
  const isPath = /^(\.|\/|[a-zA-Z]:)/.test(name)
  const isPlace = isPath || (!name.startsWith('@') && name.includes('/') && existsSync(join(io.folder, name)))
  if (isPlace) {
    const { loadKinds } = await import('../loading/load-kinds.ts')
    const [kind] = await loadKinds([isPath ? name : `./${name}`], io.folder)
    return kind!
  }
  const own = io.kinds.outside.find(({ connector, from }) => from === name || isNamed(connector, name))
  if (own !== undefined) return own
  const connector = findKind(io.kinds.catalog, name)
  const simulator = async () => (await io.kinds.simulators()).find(({ kind }) => kind === connector.kind) ?? null
  return { connector, from: null, simulator }
}

const isNamed = (connector: Connector, name: string): boolean =>
  findConnector({ [connector.kind]: connector }, name) !== null
