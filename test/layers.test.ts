/** Imports run one way. Each line below says what a folder may import; a change that needs more is a change of design. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { catalog } from '../src/connectors/index.ts'
import { kindNames, loadKind } from '../src/connectors/load.ts'

const root = join(import.meta.dirname, '..')

/** Every layer, and the layers it may import. Itself is always allowed, save for kinds. */
const layers: Record<string, readonly string[]> = {
  environment: [],
  errors: [],
  log: [],
  json: [],
  clocks: [],
  semaphore: [],
  version: [],
  'supported-node': [],
  'missing-server': [],
  'periodic-task': [],
  'event-types': ['catalog', 'errors'],
  wire: ['catalog', 'errors', 'event-types'],
  catalog: ['errors', 'json'],
  engine: ['catalog', 'errors', 'log', 'json', 'clocks', 'semaphore', 'wire'],
  'what simulators share': [],
  // The doors through which kinds come in, those of this package like any other.
  'the door for kinds': ['catalog', 'errors'],
  'the door for simulators': ['what simulators share'],
  'the kit': ['the door for kinds', 'the door for simulators'],
  // The tests that every kind must pass, for those of this package and for those from outside.
  conformance: [
    'server',
    'client',
    'sync',
    'engine',
    'what simulators share',
    'catalog',
    'errors',
    'json',
    'missing-server',
  ],
  'the door for conformance': ['conformance'],
  // Kinds from outside of this package.
  loading: ['the kit', 'the door for simulators', 'catalog', 'errors'],
  'a kind': ['the door for kinds'],
  'the kinds': ['a kind', 'catalog'],
  'a simulator': ['the door for simulators'],
  'the simulators': ['a simulator'],
  client: ['environment', 'the kinds', 'loading', 'engine', 'catalog', 'errors', 'json', 'wire', 'event-types'],
  search: ['catalog', 'errors', 'json'],
  store: ['search', 'catalog', 'errors', 'json', 'clocks', 'event-types'],
  'both databases': ['search', 'json'],
  'a database': ['both databases', 'store', 'search', 'catalog', 'errors', 'json', 'semaphore'],
  sync: ['store', 'search', 'engine', 'catalog', 'errors', 'log', 'clocks'],
  // What happened, told to the programs of tenants: a table in the store, delivered by the engine's guarded connections.
  events: ['store', 'engine', 'errors', 'log', 'clocks', 'semaphore', 'wire'],
  service: [
    'sync',
    'events',
    'store',
    'search',
    'engine',
    'catalog',
    'errors',
    'log',
    'wire',
    'event-types',
    'periodic-task',
  ],
  // The tools of agents, over the client: what they ask is an interface, which the service fills too.
  tools: ['client', 'catalog', 'errors', 'json', 'wire'],
  // Those tools as an MCP server, over the service when hosted, where `server` has the HTTP handler.
  mcp: ['tools', 'service', 'client', 'catalog', 'errors', 'json', 'version'],
  server: [
    'environment',
    'service',
    'mcp',
    'tools',
    'store',
    'engine',
    'catalog',
    'errors',
    'log',
    'json',
    'clocks',
    'version',
    'wire',
  ],
  // Static files that know the public API alone.
  console: [],
  cli: [
    'environment',
    'server',
    'mcp',
    'tools',
    'service',
    'client',
    'the kinds',
    'the simulators',
    'loading',
    'conformance',
    'what simulators share',
    'store',
    'engine',
    'catalog',
    'errors',
    'event-types',
    'log',
    'json',
    'missing-server',
    'supported-node',
    'version',
    'wire',
  ],
  'the library': ['tools', 'client', 'engine', 'catalog', 'errors', 'event-types', 'json', 'supported-node', 'wire'],
}

const doors: Record<string, string> = {
  'conformance.ts': 'the door for conformance',
  'connector.ts': 'the door for kinds',
  'simulator.ts': 'the door for simulators',
}

/** Layers that have a place above and no files yet. */
const kept = ['console']

/** Single files that may import more than their layer, each with what and why. */
const exceptions: Record<string, { readonly may: string; readonly because: string }> = {
  'src/server/start.ts': { may: 'the kinds', because: 'starting a server gives it the catalog; all else is handed it' },
  'src/store/open.ts': { may: 'a database', because: 'it alone chooses the database' },
}

const settingsFile = 'src/environment.ts'

interface Import {
  readonly from: string
  readonly to: string
  readonly written: string
}

/** Every source file below a folder, as a path from the root. */
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules'))

const isTest = (path: string): boolean => /\.(test|suite)\.ts$/.test(path)

/** The relative imports of a file, with the file each leads to. */
function importsOf(path: string): Import[] {
  const text = readFileSync(join(root, path), 'utf8')
  const lines = text.matchAll(
    /(?:^|\n|;)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g,
  )
  return [...lines]
    .map(([, named, bare]) => named ?? bare!)
    .filter((written) => written.startsWith('.'))
    .map((written) => ({ from: path, to: join(dirname(path), written), written }))
}

/** The layer that a file belongs to. */
function layerOf(path: string): string {
  const [, first = '', second = '', third = ''] = path.split('/')
  if (second === '') return /^(index|hosted)\.ts$/.test(first) ? 'the library' : first.replace(/\.ts$/, '')
  if (first === 'connectors') {
    if (third === '') return second === 'simulators.ts' ? 'the simulators' : 'the kinds'
    return third === 'simulator' ? 'a simulator' : 'a kind'
  }
  if (first === 'kit') return doors[second] ?? 'the kit'
  if (first === 'store' && third !== '' && !/^(copies|sql|statements)$/.test(second))
    return second === 'search' ? 'both databases' : 'a database'
  return first === 'simulator' ? 'what simulators share' : first
}

const all = sources('src')
const code = all.filter((path) => !isTest(path))
const imports = code.flatMap(importsOf)

/** The imports that are left once those from files that nothing imports, and those to files that import nothing, are taken out. */
function circlesIn(edges: readonly Import[]): readonly Import[] {
  const importing = new Set(edges.map(({ from }) => from))
  const imported = new Set(edges.map(({ to }) => to))
  const inside = edges.filter(({ from, to }) => imported.has(from) && importing.has(to))
  return inside.length === edges.length ? inside : circlesIn(inside)
}

/** Fails with one sentence per fault, each of which says how to mend it. */
const none = (faults: readonly string[]): void => assert.equal(faults.length, 0, `\n${faults.join('\n')}`)

describe('imports', () => {
  it('are found at all', () => {
    assert.ok(imports.length > 300)
    assert.ok(imports.some(({ from, to }) => from === 'src/index.ts' && to === 'src/client/connect.ts'))
  })

  it('lead from known layers to layers below them', () => {
    none(
      imports.flatMap(({ from, to }) => {
        const [upper, lower] = [layerOf(from), layerOf(to)]
        if (layers[upper] === undefined)
          return [`${from} is in no known layer: give src/${upper} a line in the table of this test and in the design.`]
        if (upper === lower || layers[upper].includes(lower) || exceptions[from]?.may === lower) return []
        return [
          `${from} imports ${to}, but "${upper}" may not import "${lower}": take what it needs as an argument, or move the shared part down to ${layers[upper].join(', ') || 'a layer of its own'}.`,
        ]
      }),
    )
  })

  it('are all allowed for a reason: what a layer may import, it imports', () => {
    none(
      Object.entries(layers).flatMap(([upper, lowers]) =>
        lowers
          .filter((lower) => !kept.includes(upper) && !kept.includes(lower))
          .filter((lower) => !imports.some(({ from, to }) => layerOf(from) === upper && layerOf(to) === lower))
          .map((lower) => `Nothing in "${upper}" imports "${lower}": take it out of the table of this test.`),
      ),
    )
    none(
      kept
        .filter((layer) => code.some((path) => layerOf(path) === layer))
        .map((layer) => `"${layer}" has files now: take it out of the layers that are kept.`),
    )
  })

  it('never go round in a circle, types included', () => {
    const everywhere = [...all, ...['bench', 'build', 'test'].flatMap(sources)].flatMap(importsOf)
    none(
      circlesIn(everywhere).map(
        ({ from, to }) => `${from} imports ${to} in a circle: move what both need to a file below the two.`,
      ),
    )
  })

  it('of one kind never lead to another kind', () => {
    const kindOf = (path: string): string => path.split('/')[2]!
    none(
      imports
        .filter(({ from, to }) => from.startsWith('src/connectors/') && to.startsWith('src/connectors/'))
        .filter(({ from, to }) => /^a (kind|simulator)$/.test(layerOf(from)) && kindOf(from) !== kindOf(to))
        .map(
          ({ from, to }) =>
            `${from} imports ${to}: what two kinds share belongs into src/catalog, and leaves it through src/kit.`,
        ),
    )
  })

  it('of one database never lead to another', () => {
    const databaseOf = (path: string): string => path.split('/')[2]!
    none(
      imports
        .filter(({ from, to }) => layerOf(from) === 'a database' && layerOf(to) === 'a database')
        .filter(({ from, to }) => databaseOf(from) !== databaseOf(to))
        .map(
          ({ from, to }) =>
            `${from} imports ${to}: what two databases share belongs into src/store, src/store/sql or src/store/search.`,
        ),
    )
  })

  it('reach a database through store/open.ts alone', () => {
    none(
      imports
        .filter(({ from, to }) => layerOf(to) === 'a database' && layerOf(from) !== 'a database')
        .filter(({ from }) => from !== 'src/store/open.ts')
        .map(({ from, to }) => `${from} imports ${to}: ask for a store through src/store/open.ts.`),
    )
  })

  it('name their file with its extension', () => {
    const everywhere = [...all, ...sources('test')]
    none(
      everywhere
        .flatMap(importsOf)
        .filter(({ written }) => !/\.(ts|json)$/.test(written))
        .map(({ from, written }) => `${from} imports "${written}": write the file's name with .ts at its end.`),
    )
  })

  it('have no exception that is not needed', () => {
    none(
      Object.entries(exceptions)
        .filter(([file, { may }]) => !imports.some(({ from, to }) => from === file && layerOf(to) === may))
        .map(([file, { may }]) => `${file} no longer imports "${may}": strike it from the exceptions of this test.`),
    )
  })
})

describe('one place', () => {
  it('reads the environment', () => {
    none(
      code
        .filter(
          (path) =>
            path !== settingsFile &&
            /\bprocess\s*(\.\s*env\b|\[\s*['"]env)/.test(readFileSync(join(root, path), 'utf8')),
        )
        .map(
          (path) =>
            `${path} reads process.env: take the setting as an argument; ${settingsFile} alone reads the environment.`,
        ),
    )
    assert.match(readFileSync(join(root, settingsFile), 'utf8'), /process\.env/)
  })

  it('lists the kinds: each folder is in the index under its own name, and the index has no others', () => {
    const folders = readdirSync(join(root, 'src/connectors'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    assert.deepEqual(
      Object.keys(catalog).sort(),
      folders.sort(),
      'Give each folder of src/connectors one line in src/connectors/index.ts, and each line its folder.',
    )
    for (const [name, { kind }] of Object.entries(catalog)) assert.equal(kind, name)
  })

  it('loads the kinds one by one: each of the index, under its own name', async () => {
    assert.deepEqual(
      [...kindNames].sort(),
      Object.keys(catalog).sort(),
      'Give each kind one line in src/connectors/load.ts.',
    )
    for (const name of kindNames) assert.equal(await loadKind(name), catalog[name as keyof typeof catalog])
  })

  it('knows what is peculiar to a kind: its folder', () => {
    const shared = code.filter((path) => /^src\/(catalog|engine|search|store|sync|service)\//.test(path))
    const named = Object.keys(catalog).map((kind) => new RegExp(`'${kind}'`))
    none(
      shared
        .filter((path) => named.some((name) => name.test(withoutComments(readFileSync(join(root, path), 'utf8')))))
        .map((path) => `${path} names a kind: move what is peculiar to it into the folder of the kind.`),
    )
  })
})

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
