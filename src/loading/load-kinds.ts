/** Loads connectors from outside of Conex: from folders, files and packages. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectorFaults } from '../catalog/check-connector.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import type { SimulatedSystem } from '../kit/simulator.ts'
import { importModule } from './import-module.ts'

export interface LoadedKind {
  readonly connector: Connector
  /** Where it was loaded from, for messages. */
  readonly from: string
  /** Its simulated system; null if it has none. */
  simulator(): Promise<SimulatedSystem | null>
}

/** Loads all of them. Throws one sentence about the first that cannot be used. */
export async function loadKinds(names: readonly string[], folder: string): Promise<readonly LoadedKind[]> {
  const loaded: LoadedKind[] = []
  for (const name of names) loaded.push(await loadKind(name, realpathSync(folder)))
  return loaded
}

/** The files of a folder that hold its connector and its simulated system: the first that exists. */
const connectorFiles = ['connector.ts', 'connector.js', 'connector.mjs']
const simulatorFiles = ['simulator/simulator.ts', 'simulator/simulator.js', 'simulator/simulator.mjs']

async function loadKind(name: string, folder: string): Promise<LoadedKind> {
  const { entry, root, from, simulator } = /^(\.|\/|[a-zA-Z]:)/.test(name)
    ? placeOfPath(name, folder)
    : placeOfPackage(name, folder)
  const connector = chosen(await importModule(entry, { name: from, folder, root }), from, 'connector', (value) =>
    Object.hasOwn(value, 'entities'),
  )
  const [fault] = connectorFaults(connector)
  if (fault !== undefined) throw unusable(`${from}: ${fault.path} ${fault.message}.`.replace(':  ', ': the connector '))
  return {
    connector: connector as Connector,
    from,
    async simulator() {
      const found = simulator()
      if (found === null) return null
      const made = chosen(await importModule(found, { name: found, folder, root: null }), found, 'simulator', (value) =>
        Object.hasOwn(value, 'start'),
      ) as SimulatedSystem
      if (made.kind === (connector as Connector).kind) return made
      throw unusable(`${found} simulates "${made.kind}"; its kind must be "${(connector as Connector).kind}".`)
    },
  }
}

interface Place {
  /** What is imported. */
  readonly entry: string
  /** The folder whose files it may import. */
  readonly root: string
  readonly from: string
  /** The file of its simulated system; null without one. */
  readonly simulator: () => string | null
}

function placeOfPath(name: string, folder: string): Place {
  const given = resolve(folder, name)
  if (!existsSync(given)) throw unusable(`There is no folder or file ${name} to load a connector from, in ${folder}.`)
  const path = realpathSync(given)
  const isFolder = statSync(path).isDirectory()
  const root = isFolder ? path : dirname(path)
  const inRoot = (files: readonly string[]) => files.map((file) => join(root, file)).find(existsSync)
  const entry = isFolder ? inRoot(connectorFiles) : path
  if (entry === undefined) throw unusable(`The folder ${name} has no connector.ts or connector.js with a connector.`)
  const from = isFolder ? `${name.replace(/\/+$/, '')}/${entry.slice(root.length + 1)}` : name
  return { entry, root, from, simulator: () => inRoot(simulatorFiles) ?? null }
}

function placeOfPackage(name: string, folder: string): Place {
  return {
    entry: name,
    root: dirname(manifestOf(name, folder)),
    from: name,
    simulator() {
      try {
        return module.createRequire(folder + sep).resolve(`${name}/simulator`)
      } catch {
        return null
      }
    },
  }
}

/** The package.json of an installed package. */
function manifestOf(name: string, folder: string): string {
  try {
    const found = module.findPackageJSON(name, pathToFileURL(folder + sep))
    if (found !== undefined) return realpathSync(found)
  } catch {
    // A name that is no name of a package is not installed either.
  }
  throw unusable(
    `There is no package ${name} to load a connector from; install it in ${folder}, or begin the path of a folder with "./".`,
  )
}

/** The default export, or else the only one that looks right. */
function chosen(
  exported: Readonly<Record<string, unknown>>,
  from: string,
  what: 'connector' | 'simulator',
  looksRight: (value: object) => boolean,
): unknown {
  if (exported.default !== undefined) return exported.default
  const found = Object.values(exported).filter(
    (value) => typeof value === 'object' && value !== null && looksRight(value),
  )
  if (found.length === 1) return found[0]
  throw unusable(
    `${from} exports ${found.length === 0 ? `no ${what}` : `${found.length} ${what}s`}; export one as the default.`,
  )
}

const unusable = (sentence: string): ConexError => new ConexError('invalid_request', sentence)
