/**
 * Run by `.ci/run` after the build: packs the package and its companion, installs them into empty folders as their users do,
 * and uses them there. Prints what an install brings and what it costs to import.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inlined } from '../../build/javascript.ts'
import { belongsInBrowsers, belongsToTools, bundleForBrowsers } from '../bundle.ts'

const root = join(import.meta.dirname, '../..')
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>
const folder = mkdtempSync(join(tmpdir(), 'conex-packed-'))
const running: ChildProcess[] = []
const say = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  const [client, server] = [pack(root), pack(join(root, 'dist-server'))]
  const alone = install('client', client)
  assert.deepEqual(alone.packages.toSorted(), ['conex', ...Object.keys(dependencies!)].toSorted())
  say(`client alone: ${alone.packages.length} packages, ${alone.mebibytes} MiB, ${importMs(alone.path)} ms to import`)
  commandsWithoutServer(alone.path)

  const whole = install('everything', client, server)
  for (const name of Object.keys(peerDependencies!)) assert.ok(whole.packages.includes(name), name)
  for (const name of inlined) assert.ok(!whole.packages.includes(name) || dependencies![name] !== undefined, name)
  say(`with the server: ${whole.packages.length} packages, ${whole.mebibytes} MiB`)

  const version = "console.log(require('conex/openapi.json').openapi)"
  assert.equal(execFileSync(process.execPath, ['-e', version], { cwd: alone.path, encoding: 'utf8' }), '3.1.1\n')

  compile(alone.path)
  const { start, later } = await bundleForBrowsers('conex', alone.path)
  for (const [{ inputs }, belongs] of [
    [start, belongsInBrowsers],
    [later, belongsToTools],
  ] as const)
    for (const path of inputs) {
      assert.match(path, /^node_modules\/conex\/dist\/(hosted|chunks\/[^/]+)\.js$/)
      for (const [, source] of readFileSync(join(alone.path, path), 'utf8').matchAll(/^\/\/ (\S+\.\S+)$/gm))
        assert.ok(belongs(source!), source)
    }
  say(`bundled for browsers: ${start.bytes} bytes, and ${later.bytes} for tools`)

  writeConnectors(alone.path, whole.path)
  await useBoth(alone.path, whole.path)
  say('the packed packages work')
} finally {
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The archive of a package. */
function pack(from: string): string {
  const [name] = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: from,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .slice(-1)
  return join(folder, name!)
}

/** A folder that holds nothing but what installing these brings. */
function install(name: string, ...archives: readonly string[]) {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--silent', ...archives], { cwd: path, stdio: 'inherit' })
  const { packages } = JSON.parse(readFileSync(join(path, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: object
  }
  const bytes = readdirSync(join(path, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  return {
    path,
    packages: Object.keys(packages).map((key) => key.replace(/^.*node_modules\//, '')),
    mebibytes: Math.round(bytes / 1024 / 1024),
  }
}

/** The fastest of several imports, each in a process of its own. */
function importMs(path: string): number {
  const script = "const t = performance.now(); await import('conex'); console.log(performance.now() - t)"
  const times = Array.from({ length: 5 }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: path, encoding: 'utf8' })),
  )
  return Math.round(Math.min(...times))
}

function commandIn(path: string): string {
  return join(path, 'node_modules/.bin/conex')
}

function commandsWithoutServer(path: string): void {
  const run = (...args: string[]) =>
    spawnSync(commandIn(path), args, { cwd: path, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  assert.match(run('--help').stdout, /execute/)
  assert.equal(
    run('catalog', '--json')
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line)).length,
    5,
  )
  for (const command of [['serve'], ['demo'], ['clients', 'list']]) {
    const { status, stderr } = run(...command)
    assert.equal(status, 1, stderr)
    assert.match(stderr, /^error This runs the server, .*: npm install conex-server\n$/)
  }
}

/**
 * A connector that is written in each folder, and the tests that it comes with. They pass with the server; without it, they say
 * what to install.
 */
function writeConnectors(client: string, everything: string): void {
  const flags = ['--url', 'https://shelf.example', '--auth', 'bearer', '--entity', 'books']
  // Without the mark of a running test, by which a test inside of a test would be passed over.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (path: string, command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: path, env, encoding: 'utf8' })
    return { status, told: stdout + stderr }
  }
  const checks = (path: string) => run(path, commandIn(path), 'connector', 'test', './connectors/shelf')
  const tests = (path: string) => run(path, process.execPath, '--test', 'connectors/shelf/connector.test.ts')
  for (const path of [client, everything]) {
    const { status, told } = run(path, commandIn(path), 'connector', 'new', 'shelf', ...flags)
    assert.equal(status, 0, told)
  }
  for (const { status, told } of [checks(client), tests(client)]) {
    assert.equal(status, 1, told)
    assert.match(told, /This runs the server, .*: npm install conex-server/)
  }
  const common = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const compiled = run(
    everything,
    join(root, 'node_modules/.bin/tsc'),
    ...common,
    ...types,
    'connectors/shelf/connector.test.ts',
  )
  for (const { status, told } of [compiled, checks(everything), tests(everything)]) assert.equal(status, 0, told)
  assert.match(checks(everything).told, /(\d+) of \1 checks passed/)
}

/** Compiles the programs beside this file as their authors would: for Node, for a bundler, and for a bundler's browser. */
function compile(path: string): void {
  for (const program of ['program.ts', 'page.ts']) cpSync(join(import.meta.dirname, program), join(path, program))
  const common = {
    strict: true,
    target: 'es2024',
    noEmit: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const node = { lib: ['esnext'], types: ['node'] }
  const browser = { lib: ['esnext', 'dom', 'dom.iterable'], types: [], customConditions: ['browser'] }
  const projects = {
    nodenext: { files: ['program.ts'], compilerOptions: { ...common, ...node, module: 'nodenext' } },
    bundler: {
      files: ['program.ts'],
      compilerOptions: { ...common, ...node, module: 'esnext', moduleResolution: 'bundler' },
    },
    browser: {
      files: ['page.ts'],
      compilerOptions: { ...common, ...browser, module: 'esnext', moduleResolution: 'bundler' },
    },
  }
  for (const [name, project] of Object.entries(projects)) {
    writeFileSync(join(path, `${name}.json`), JSON.stringify(project))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', `${name}.json`], { cwd: path, stdio: 'inherit' })
  }
}

/** Runs the program of the folder with the client alone against a server of the folder with everything. */
async function useBoth(client: string, everything: string): Promise<void> {
  const simulated = JSON.parse(await firstLine(start(client, ['simulators', '--port', '0'], {}), /^\{/))
  const { base_url: system, credentials } = simulated.asana
  const secret = 'a secret for this one test, long enough'
  const serving = start(everything, ['serve'], {
    CONEX_PORT: '0',
    CONEX_CLIENT_ID: 'packed',
    CONEX_CLIENT_SECRET: secret,
    CONEX_ALLOW_PRIVATE_NETWORK: 'true',
    CONEX_ASANA_BASE_URL: system,
  })
  const { origin } = JSON.parse(await firstLine(serving, /"listening"/))
  const token = credentials[0].token
  const given = {
    system,
    credentials: { token },
    ...(await landmarks(system, token)),
    service: { baseUrl: origin, clientId: 'packed', clientSecret: secret },
  }
  execFileSync(process.execPath, ['program.ts', JSON.stringify(given)], { cwd: client, stdio: 'inherit' })
}

function start(path: string, args: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(commandIn(path), args, {
    cwd: path,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  return child
}

async function firstLine(child: ChildProcess, wanted: RegExp): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) if (wanted.test(line)) return line
  throw new Error(`The command ended before it told ${wanted}.`)
}

/** A project of the simulated system, and an attachment. */
async function landmarks(system: string, token: string): Promise<{ project: string; attachment: string }> {
  const ask = async (path: string) => {
    const response = await fetch(`${system}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { data: { gid: string }[] }).data
  }
  const [workspace] = await ask('/workspaces')
  const projects = await ask(`/projects?workspace=${workspace!.gid}&limit=10`)
  for (const { gid: project } of projects)
    for (const task of await ask(`/tasks?project=${project}&limit=20`)) {
      const [attachment] = await ask(`/attachments?parent=${task.gid}&limit=1`)
      if (attachment !== undefined) return { project, attachment: attachment.gid }
    }
  throw new Error('The simulated system has no attachment in its first projects.')
}
