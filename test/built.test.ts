/** The JavaScript that is published: what it is made of, what it loads and when, and that all of it works. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Installation } from '../build/in-folder.ts'
import { inlined, noticesFile } from '../build/javascript.ts'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import { conexProcess } from './command.ts'
import { installed } from './installed.ts'
import { prepareNodes } from './nodes.ts'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const connectors = '/v1/integrations/connectors'

describe('the built package', () => {
  let built: Installation
  before(async () => {
    built = await installed()
  })
  after(() => built.remove())

  it('has the licence of each library whose code is in it, and no code of any other', () => {
    const notices = readFileSync(join(built.folder, 'dist', noticesFile), 'utf8')
    const files = readdirSync(join(built.folder, 'dist'), { recursive: true, encoding: 'utf8' })
    const code = files
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(built.folder, 'dist', file), 'utf8'))
    // The start of every module is marked with the file that it comes from.
    const origins = code.flatMap((text) => [...text.matchAll(/^\/\/ .*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/gm)])
    assert.deepEqual([...new Set(origins.map(([, name]) => name))].sort(), inlined)
    for (const name of inlined) {
      const folder = join(root, 'node_modules', name)
      const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))!
      assert.ok(notices.includes(readFileSync(join(folder, licence), 'utf8').trim()), name)
    }
  })

  it('has the file of each thread beside the file that starts it', () => {
    const files = readdirSync(join(built.folder, 'dist'), { recursive: true, encoding: 'utf8' })
    const started = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => {
        const text = readFileSync(join(built.folder, 'dist', file), 'utf8')
        return [...text.matchAll(/new Worker\(new URL\(`\.\/([\w-]+)\.\$/g)].map(([, name]) =>
          join(dirname(file), `${name}.js`),
        )
      })
    assert.deepEqual(started.sort(), ['chunks/copy-thread.js', 'chunks/parse-thread.js'])
    const helpers = ['chunks/parse-process.js', 'chunks/statement-process.js']
    for (const file of [...started, ...helpers]) assert.ok(files.includes(file), file)
  })

  /** The libraries that a program loads from the start to its end. */
  async function loadedBy(program: string, args: readonly string[] = []): Promise<string[]> {
    const hooks = `import { registerHooks } from 'node:module'
      import { writeSync } from 'node:fs'
      registerHooks({ load: (url, context, next) => { writeSync(2, '\\nloaded ' + url + '\\n'); return next(url, context) } })`
    const { code, stderr } = await conexProcess(args, {
      program,
      cwd: built.folder,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` },
    })
    assert.equal(code, 0, stderr)
    const loaded = [...stderr.matchAll(/^loaded file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm)]
    return [...new Set(loaded.map(([, name]) => name!))].sort()
  }

  it('loads no library for a program that imports the client', async () => {
    assert.deepEqual(await loadedBy(join(built.folder, 'dist/index.js')), [])
    assert.deepEqual(await loadedBy(join(built.folder, 'dist/hosted.js')), [])
  })

  it('loads no library of the server for commands that need no server, and one database for those that need one', async () => {
    const brought = Object.keys(manifest.dependencies)
    for (const args of [['--version'], ['serve', '--help'], ['catalog', 'asana']])
      for (const name of await loadedBy(built.program, args)) assert.ok(brought.includes(name), `${args} loads ${name}`)
    const migrating = await loadedBy(built.program, ['migrate'])
    assert.ok(migrating.includes('better-sqlite3'))
    for (const name of ['pg', 'fastify']) assert.ok(!migrating.includes(name), name)
  })

  /** Serves, makes a connector, lets its first sync copy the projects, and searches them. */
  async function searches(
    t: { after(done: () => Promise<void>): void },
    env: Record<string, string> = {},
  ): Promise<void> {
    const nodes = await prepareNodes(built.program)
    t.after(() => nodes.close())
    const node = await nodes.start({ CONEX_SYNC_ENABLED: 'true', ...env })
    const made = await node.call('POST', connectors, {
      external_user_id: 'ann',
      connector_type: 'asana',
      name: 'Work',
      credentials: nodes.systems.describe().asana!.credentials[0],
    })
    assert.equal(made.status, 201)
    const { id } = made.body
    const isCopied = async (entity: string): Promise<boolean> => {
      const { body } = await node.call('GET', `${connectors}/${id}/sync`)
      return body.entities.find((one: { entity: string }) => one.entity === entity).complete
    }
    while (!(await isCopied('projects'))) await new Promise((done) => setTimeout(done, 100))
    const found = await node.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'projects',
      action: 'search',
      params: { query: {} },
    })
    assert.equal(found.status, 200, JSON.stringify(found.body))
    assert.ok(found.body.result.hits.length > 0)
    const counted = await node.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: '*',
      action: 'sql',
      params: { sql: 'select count(*) as n from projects' },
    })
    assert.deepEqual(counted.body.result.data, [{ n: found.body.result.hits.length }], JSON.stringify(counted.body))
    assert.equal((await node.running.stop()).code, 0)
  }

  it('serves, syncs in a thread, searches and runs SQL on SQLite', (t) => searches(t))

  it('does so on PostgreSQL', async (t) => {
    const postgres = await startPostgres()
    t.after(() => postgres.stop())
    await searches(t, { CONEX_DATABASE_URL: await postgres.freshDatabase() })
  })

  it('says what SQL on PostgreSQL needs, where it is not installed', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-without-'))
    t.after(() => rmSync(folder, { recursive: true }))
    cpSync(built.folder, folder, { recursive: true, verbatimSymlinks: true })
    rmSync(join(folder, 'node_modules/libpg-query'))
    const postgres = await startPostgres()
    t.after(() => postgres.stop())
    const nodes = await prepareNodes(join(folder, 'dist/cli/main.js'))
    t.after(() => nodes.close())
    const url = await postgres.freshDatabase()
    const node = await nodes.start({ CONEX_SYNC_ENABLED: 'true', CONEX_DATABASE_URL: url })
    const { body } = await node.call('POST', connectors, {
      external_user_id: 'ann',
      connector_type: 'asana',
      name: 'Work',
      credentials: nodes.systems.describe().asana!.credentials[0],
    })
    const { status, body: problem } = await node.call('POST', `/api/v1/connectors/sources/${body.id}/execute`, {
      entity: '*',
      action: 'sql',
      params: { sql: 'select 1 as one' },
    })
    assert.deepEqual([status, problem.code], [422, 'search_unavailable'])
    assert.match(problem.detail, /npm install libpg-query/)
    assert.equal((await node.running.stop()).code, 0)
  })

  it('tells in a trace which of our functions failed', async () => {
    const program = join(built.folder, 'failing.js')
    writeFileSync(
      program,
      `import { connect } from './dist/index.js'
      await connect('asana', { credentials: {} }).workspaces.list().catch(({ stack }) => console.log(JSON.stringify(stack)))`,
    )
    const [stack] = (await conexProcess([], { program })).records()
    assert.match(stack, /at checkCredentials /)
  })
})
