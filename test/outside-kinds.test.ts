/** Connectors that lie outside of Conex: loaded from folders and packages, they appear everywhere that a built-in kind does. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '../src/client/connect.ts'
import { loadKinds } from '../src/loading/load-kinds.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { startConex } from './command.ts'
import { conex } from './conex.ts'
import { type Nodes, prepareNodes, type ServerNode } from './nodes.ts'
import type { tracker } from './outside/tracker/connector.ts'

const outside = join(import.meta.dirname, 'outside/tracker')
const connectors = '/v1/integrations/connectors'
const credentials = { token: 'tracker-token-1' }

/** A folder of somebody's own, with the tracker in it. */
function ownFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-outside-')))
  cpSync(outside, join(folder, 'connectors/tracker'), { recursive: true })
  return folder
}

const config = `import { defineConfig } from 'conex/kit'
export default defineConfig({ connectors: ['./connectors/tracker'] })
`

async function startTracker(): Promise<RunningSimulators> {
  const [kind] = await loadKinds(['./tracker'], dirname(outside))
  return startSimulators([(await kind!.simulator())!])
}

describe('a connector in a folder', () => {
  let nodes: Nodes
  let node: ServerNode
  let systems: RunningSimulators
  let baseUrl: string
  let id: string
  before(async () => {
    systems = await startTracker()
    baseUrl = systems.describe().tracker!.base_url
    nodes = await prepareNodes()
    cpSync(outside, join(nodes.folder, 'connectors/tracker'), { recursive: true })
    node = await startWith('./connectors/tracker')
    const made = await node.call('POST', connectors, {
      connector_type: 'tracker',
      external_user_id: 'ann',
      name: 'Work',
      credentials,
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    id = made.body.id
  })
  after(async () => {
    await nodes.close()
    await systems.close()
  })

  const startWith = (named: string) =>
    nodes.start({
      CONEX_CONNECTORS: named,
      CONEX_SYNC_ENABLED: 'true',
      ...(named !== '' && { CONEX_TRACKER_BASE_URL: baseUrl }),
    })
  const execute = (entity: string, action: string, params: object) =>
    node.call('POST', `/api/v1/connectors/sources/${id}/execute`, { entity, action, params })

  async function synced(): Promise<void> {
    let state: { entities: { complete: boolean }[] } | undefined
    for (let tries = 0; tries < 300; tries++) {
      state = (await node.call('GET', `${connectors}/${id}/sync`)).body
      if (state?.entities.every((one) => one.complete)) return
      await sleep(100)
    }
    assert.fail(`the copy did not become complete: ${JSON.stringify(state)}`)
  }

  it('is a connector type of the server, with its routes and documents', async () => {
    const types = (await node.call('GET', '/v1/integrations/connector-types')).body.connector_types
    assert.ok(types.some((one: { connector_type: string }) => one.connector_type === 'tracker'))
    const { components } = (await node.call('GET', '/openapi.json')).body
    assert.ok(components.schemas['tracker.issues.list'])
    const page = await (await fetch(`${node.origin}/docs`)).text()
    assert.match(page, /tracker\.issues\.list|Tracker/)
  })

  it('runs its operations, refuses wrong params, and checks credentials', async () => {
    const listed = await execute('issues', 'list', { limit: 2 })
    assert.deepEqual(
      listed.body.result.map((one: { id: string }) => one.id),
      ['T-1', 'T-2'],
    )
    assert.deepEqual(listed.body.connector_metadata, { next: '2' })
    assert.equal((await execute('issues', 'get', { issue_id: 'T-7' })).body.result.title, 'Repair 7')
    assert.equal((await execute('issues', 'list', { size: 2 })).body.code, 'invalid_params')
    assert.equal((await node.call('POST', `${connectors}/${id}/check`)).body.status, 'healthy')
  })

  it('has a copy that searches read', async () => {
    await synced()
    const { body } = await execute('issues', 'search', { query: { filter: { keyword: { title: 'launch' } } } })
    assert.equal(body.result.hits.length, 12)
  })

  it('is unavailable while the server does not load it, and then goes on with all of its data', async () => {
    await node.running.stop()
    node = await startWith('')
    const listed = (await node.call('GET', connectors)).body.connectors
    assert.deepEqual(
      listed.map(({ connector_type, status }: Record<string, string>) => [connector_type, status]),
      [['tracker', 'unavailable']],
    )
    assert.equal((await node.call('GET', `${connectors}/${id}`)).body.status, 'unavailable')
    const refusals = [
      await execute('issues', 'list', {}),
      await execute('issues', 'search', { query: {} }),
      await node.call('POST', `${connectors}/${id}/sync`),
      await node.call('GET', `${connectors}/${id}/sync`),
      await node.call('POST', `${connectors}/${id}/check`),
      await node.call('PATCH', `${connectors}/${id}`, { sync: { interval_seconds: 60 } }),
    ]
    for (const { status, body } of refusals) {
      assert.deepEqual([status, body.code], [503, 'connector_unavailable'])
      assert.match(body.detail, /"tracker".*CONEX_CONNECTORS/)
    }
    await node.running.stop()

    const before = systems.requests.length
    node = await startWith('./connectors/tracker')
    assert.equal((await node.call('GET', `${connectors}/${id}`)).body.status, 'active')
    const { body } = await execute('issues', 'search', { query: { filter: { keyword: { title: 'launch' } } } })
    assert.equal(body.result.hits.length, 12)
    assert.equal(systems.requests.length, before)
  })

  it('can be deleted while the server does not load it', async () => {
    await node.running.stop()
    node = await startWith('')
    assert.equal((await node.call('DELETE', `${connectors}/${id}`)).status, 204)
    assert.deepEqual((await node.call('GET', connectors)).body.connectors, [])
  })
})

describe('the commands', () => {
  const folder = ownFolder()
  let systems: RunningSimulators
  let baseUrl: string
  before(async () => {
    writeFileSync(join(folder, 'conex.config.ts'), config)
    systems = await startTracker()
    baseUrl = systems.describe().tracker!.base_url
  })
  after(async () => {
    await systems.close()
    rmSync(folder, { recursive: true })
  })

  it('know the connectors of conex.config.ts, in the folder where they run', async () => {
    const [type] = (await conex(['catalog', 'tracker', '--json'], { folder })).records() as { connector_type: string }[]
    assert.equal(type!.connector_type, 'tracker')
    assert.equal((await conex(['catalog', 'tracker'])).code, 2)
    assert.match(String((await conex(['complete', '--', 'execute', 'tr'], { folder })).stdout), /^tracker\tTracker/)
    assert.match(String((await conex(['serve', '--help'], { folder })).stdout), /CONEX_TRACKER_BASE_URL/)
  })

  it('run their operations from this machine', async () => {
    const read = ['execute', 'tracker', 'issues', 'list', '--all', '--json', '--base-url', baseUrl]
    const given = ['--allow-private-network', '--credential', `token=${credentials.token}`]
    const { records, stderr } = await conex([...read, ...given], { folder })
    assert.equal(records().length, 120, stderr)
  })

  it('simulate their systems', async () => {
    const running = startConex(['simulators', '--port', '0'], { cwd: folder })
    const [line] = await running.printed(/^\{.*\}$/m)
    const { base_url } = JSON.parse(line).tracker
    const { issues } = (await (
      await fetch(`${base_url}/issues`, { headers: { authorization: `Bearer ${credentials.token}` } })
    ).json()) as { issues: object[] }
    assert.equal(issues.length, 50)
    await running.stop()
  })

  it('take CONEX_CONNECTORS in place of the configuration file', async () => {
    const env = { CONEX_CONNECTORS: ' ./connectors/tracker/connector.ts , ' }
    assert.equal((await conex(['catalog', 'tracker', '--json'], { folder, env })).code, 0)
    const other = await conex(['catalog', '--json'], { folder, env: { CONEX_CONNECTORS: './connectors/none' } })
    assert.match(other.stderr, /There is no folder or file \.\/connectors\/none/)
  })
})

describe('a program', () => {
  it('connects with the connector itself, typed by its declaration', async () => {
    const systems = await startTracker()
    const [loaded] = await loadKinds(['./tracker'], dirname(outside))
    const connected = connect(loaded!.connector as typeof tracker, {
      credentials,
      baseUrl: systems.describe().tracker!.base_url,
      allowPrivateNetwork: true,
    })
    const { result } = await connected.issues.list({ limit: 3 })
    const points: number[] = result.map((issue) => issue.points)
    assert.deepEqual(points, [0, 1, 2])
    // @ts-expect-error There is no such param.
    await assert.rejects(connected.issues.list({ size: 3 }), { code: 'invalid_params' })
    // @ts-expect-error There is no such entity.
    await assert.rejects(connected.tickets.list(), { code: 'unknown_entity' })
    assert.equal((await connected.issues.get({ issue_id: 'T-3' })).result.title, 'Repair 3')
    await connected.close()
    await systems.close()
  })
})

describe('a program that names a kind', () => {
  const folder = ownFolder()
  const run = promisify(execFile)
  before(() => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(import.meta.dirname, '..'), join(folder, 'node_modules/conex'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'program.js'),
      `import { connect } from 'conex'
       const [kind, baseUrl] = process.argv.slice(2)
       const system = connect(kind, { credentials: ${JSON.stringify(credentials)}, baseUrl, allowPrivateNetwork: true })
       await system.execute('issues', 'list', { limit: 2 }).then(
         ({ result }) => console.log(JSON.stringify(result.map(({ id }) => id))),
         ({ code, message }) => console.log(code + ' ' + message),
       )
       await system.close()`,
    )
  })
  after(() => rmSync(folder, { recursive: true }))

  const printed = async (kind: string, env: object = {}, baseUrl = 'http://127.0.0.1:9'): Promise<string> => {
    const args = ['--conditions=conex-source', 'program.js', kind, baseUrl]
    return (await run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })).stdout.trim()
  }

  it('finds it where its environment or the file of its folder names it', async () => {
    const systems = await startTracker()
    const { base_url: baseUrl } = systems.describe().tracker!
    const env = { CONEX_CONNECTORS: './connectors/tracker' }
    assert.equal(await printed('tracker', env, baseUrl), '["T-1","T-2"]')
    assert.match(await printed('tracker'), /^invalid_request There is no connector "tracker"; use one of .*asana\.$/)
    writeFileSync(join(folder, 'conex.config.ts'), config)
    assert.equal(await printed('tracker', {}, baseUrl), '["T-1","T-2"]')
    await systems.close()
  })

  it('is told which kinds there are, and why one cannot be used', async () => {
    assert.match(
      await printed('trackr', { CONEX_CONNECTORS: './connectors/tracker' }),
      /^invalid_request There is no connector "trackr"; use one of .*asana, tracker\.$/,
    )
    assert.match(
      await printed('tracker', { CONEX_CONNECTORS: './none' }),
      /^invalid_request There is no folder or file \.\/none to load a connector from/,
    )
  })
})

describe('a package', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-package-')))
  const own = join(folder, 'node_modules/@acme/conex-notion')
  after(() => rmSync(folder, { recursive: true }))

  it('is loaded by its name, with its own files and the kit of this program', async () => {
    mkdirSync(own, { recursive: true })
    const exports = { '.': { import: './index.js' }, './simulator': './simulator.js' }
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name: '@acme/conex-notion', type: 'module', exports }))
    writeFileSync(join(own, 'index.js'), "export { notion as default } from './notion.js'\n")
    writeFileSync(join(own, 'notion.js'), connectorFile({ kind: 'notion' }))
    writeFileSync(join(own, 'simulator.js'), "export default { kind: 'notion', start: () => ({}) }\n")
    const [kind] = await loadKinds(['@acme/conex-notion'], folder)
    assert.equal(kind!.connector.kind, 'notion')
    assert.equal((await kind!.simulator())?.kind, 'notion')
  })

  it('that is not installed is told so', async () => {
    await assert.rejects(loadKinds(['@acme/conex-nothing'], folder), {
      message: `There is no package @acme/conex-nothing to load a connector from; install it in ${folder}, or begin the path of a folder with "./".`,
    })
  })
})

/** A connector that differs from a good one in a part of its source. */
function connectorFile({
  kind = 'sample',
  id = 'sample-id',
  top = '',
  more = '',
  entities = 'things',
  names = '',
} = {}): string {
  return `import { authMethod, connector, entity, get, id, secret, ${names} } from 'conex/kit'
${top}
const things = entity({
  description: 'Things.',
  get: get({ description: 'Get a thing.', path: '/things/{thing_id}', params: { thing_id: id() }, recordsAt: [], record: { id: id() }, ${more} }),
})
export const ${kind} = connector({
  kind: '${kind}', definitionId: '${id}', title: 'Sample', baseUrl: 'https://sample.example',
  authMethods: [authMethod({ name: 'token', title: 'Token', credentials: { token: secret() }, authorization: { style: 'bearer', token: 'token' } })],
  replicationConfig: null, check: { entity: 'things', action: 'get', params: { thing_id: '1' } }, readRefusal: () => null,
  entities: { ${entities} },
})
`
}

describe('a connector that cannot be used', () => {
  const folder = ownFolder()
  after(() => rmSync(folder, { recursive: true }))

  const files: Record<string, readonly [source: string, sentence: string]> = {
    throws: [
      connectorFile({ top: "throw new Error('no key.')" }),
      './a/connector.ts cannot be loaded: no key (a/connector.ts:2:7).',
    ],
    'is no TypeScript': [connectorFile({ top: 'const = 1' }), './a/connector.ts cannot be loaded: '],
    'needs more than types to be taken out': [
      connectorFile({ top: 'enum Size { Small }' }),
      './a/connector.ts cannot be loaded: TypeScript enum is not supported in strip-only mode (a/connector.ts:2).',
    ],
    'imports a module of Node': [
      connectorFile({ top: "import { readFileSync } from 'node:fs'" }),
      'a/connector.ts imports "node:fs", which a connector may not: it imports its own files and conex/kit.',
    ],
    'imports a file of another folder': [
      connectorFile({ top: "import { tracker } from '../connectors/tracker/connector.ts'" }),
      'a/connector.ts imports "../connectors/tracker/connector.ts", which a connector may not',
    ],
    'imports a library': [
      connectorFile({ top: "import Type from 'typebox'" }),
      'a/connector.ts imports "typebox", which a connector may not: it imports its own files and conex/kit.',
    ],
    'imports a file that is not there': [
      connectorFile({ top: "import './fields.ts'" }),
      "./a/connector.ts cannot be loaded: Cannot find module 'a/fields.ts'",
    ],
    'asks the kit for what it does not have': [
      connectorFile({ top: "import { table } from 'conex/kit'" }),
      "./a/connector.ts cannot be loaded: The requested module 'conex/kit' does not provide an export named 'table' (a/connector.ts:2).",
    ],
    'exports nothing': ['export const size = 1', './a/connector.ts exports no connector; export one as the default.'],
    'exports something else': ['export default 1', './a/connector.ts: the connector must be an object.'],
    'has two entities of one name': [
      connectorFile({ entities: 'things, others: things, things' }),
      'a/connector.ts:11 declares "things" twice in one object, so that the first is lost; rename one.',
    ],
    'has two entities that differ in a dash': [
      connectorFile({ entities: 'things, th_ings: things' }),
      './a/connector.ts: entities has the entity "th_ings" twice (as "things"); rename one.',
    ],
    'has a path with a param that nobody gives': [
      connectorFile({ more: "path: '/things/{id}'" }).replace("path: '/things/{thing_id}', ", ''),
      './a/connector.ts: entities.things.get.path needs the param "id", which nobody gives; declare it in params.',
    ],
    'has a paging without a cursor': [
      connectorFile({
        more: `}), list: list({ description: 'List.', path: '/things', recordsAt: ['things'], record: { id: id() },
          paging: cursorPaging({ params: {}, next: ['next'], block: { name: 'next', holds: 'token' } }),`,
        names: 'cursorPaging, list',
      }),
      './a/connector.ts: entities.things.list.paging.cursor is required.',
    ],
    'has a paging whose cursor is no param': [
      connectorFile({
        more: `}), list: list({ description: 'List.', path: '/things', recordsAt: ['things'], record: { id: id() },
          paging: cursorPaging({ params: {}, cursor: 'after', next: ['next'], block: { name: 'next', holds: 'token' } }),`,
        names: 'cursorPaging, list',
      }),
      './a/connector.ts: entities.things.list.paging.cursor names the param "after", which nobody declares; add it to the paging\'s params.',
    ],
    'has a field that is none': [
      connectorFile({ more: "record: { id: 'text' }" }).replace(', record: { id: id() }', ''),
      './a/connector.ts: entities.things.get.record.id is not a field; write text(), id(), integer() or another of the kit.',
    ],
    'takes the name of a built-in kind': [
      connectorFile({ kind: 'asana' }),
      './a/connector.ts: kind "asana" is the name of Asana; choose another one.',
    ],
    'takes the id of a built-in kind': [
      connectorFile({ id: 'd0243522-dccf-4978-8ba0-37ed47a0bdbf' }),
      './a/connector.ts: definitionId "d0243522-dccf-4978-8ba0-37ed47a0bdbf" is the id of Asana; choose another one.',
    ],
  }

  let count = 0
  for (const [what, [source, sentence]] of Object.entries(files))
    it(`because it ${what}`, async () => {
      // A module is loaded once in a process, so that each needs an address of its own.
      const name = `a${++count}`
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'connector.ts'), source)
      const { code, stderr } = await conex(['catalog'], { folder, env: { CONEX_CONNECTORS: `./${name}` } })
      assert.equal(code, 2)
      const said = stderr.replaceAll(`${name}/`, 'a/')
      assert.ok(said.startsWith(`invalid_request ${sentence}`), said)
      assert.equal(said.trimEnd().split('\n').length, 1)
    })

  it('keeps the server from starting', async () => {
    mkdirSync(join(folder, 'bad'))
    writeFileSync(join(folder, 'bad/connector.ts'), connectorFile({ kind: 'gong' }))
    const { code, stderr } = await startConex(['serve'], { cwd: folder, env: { CONEX_CONNECTORS: './bad' } }).ended
    assert.equal(code, 2)
    assert.match(stderr, /^invalid_request \.\/bad\/connector\.ts: kind "gong" is the name of Gong/)
  })

  it('leaves the commands alone that need no kinds', async () => {
    assert.equal((await conex(['--version'], { folder, env: { CONEX_CONNECTORS: './none' } })).code, 0)
  })

  it('because two have one name', async () => {
    cpSync(outside, join(folder, 'copy'), { recursive: true })
    const env = { CONEX_CONNECTORS: './connectors/tracker,./copy' }
    const { stderr } = await conex(['catalog'], { folder, env })
    assert.match(stderr, /^invalid_request \.\/copy\/connector\.ts: kind "tracker" is the name of Tracker/)
  })

  it('because the configuration file is wrong', async () => {
    const wrong = [
      ['export const connectors = []', /must export its settings as the default/],
      ["export default { connector: ['./a'] }", /"connector" is no setting; there is connectors/],
      ["export default { connectors: './a' }", /must be a list/],
      ["throw new Error('broken')", /conex\.config\.js cannot be loaded: broken \(conex\.config\.js:1:7\)/],
    ] as const
    for (const [source, sentence] of wrong) {
      const own = realpathSync(mkdtempSync(join(tmpdir(), 'conex-config-')))
      writeFileSync(join(own, 'conex.config.js'), source)
      const { code, stderr } = await conex(['catalog'], { folder: own })
      assert.equal(code, 2)
      assert.match(stderr, sentence)
      rmSync(own, { recursive: true })
    }
  })
})
