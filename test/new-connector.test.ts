/** `conex connector new`: what it writes works at once, and passes its own test. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { conex } from './conex.ts'

const root = join(import.meta.dirname, '..')

describe('a new connector', () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  /** A project that has Conex installed. */
  function project(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-new-')))
    folders.push(folder)
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules/conex'))
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    return folder
  }

  const flags = ['--url', 'https://api.example.com/v2', '--entity', 'support_tickets']

  it('with bearer or basic authorization is loaded, compiles, and passes its test', async () => {
    const folder = project()
    const kinds = ['bearer', 'basic'].map((auth) => ({ auth, kind: `${auth}-desk`, path: `connectors/${auth}-desk` }))
    for (const { auth, kind, path } of kinds) {
      const written = await conex(['connector', 'new', kind, '--auth', auth, ...flags], { folder })
      assert.equal(written.code, 0, written.stderr)
      const files = ['connector.ts', 'simulator/simulator.ts', 'connector.test.ts'].map((file) => `./${path}/${file}`)
      const configuration = auth === 'bearer' ? ['./conex.config.ts'] : []
      assert.deepEqual(String(written.stdout).trimEnd().split('\n'), [...files, ...configuration])
    }
    const catalog = await conex(['catalog', 'bearer-desk', '--json'], { folder })
    assert.deepEqual(
      (catalog.records()[0] as { entities: { name: string }[] }).entities.map(({ name }) => name),
      ['support_tickets'],
      catalog.stderr,
    )
    const options = { include: ['connectors'], extends: join(root, 'tsconfig.json') }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const run = (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })
    run(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.')
    const tests = kinds.map(({ path }) => `${path}/connector.test.ts`)
    const tested = run('--conditions=conex-source', '--test', '--test-isolation=none', ...tests)
    assert.match(tested, /^ℹ pass 34$/m)
    assert.match(tested, /^ℹ fail 0$/m)
  })

  it('asks on a terminal for what no flag says', async () => {
    const folder = project()
    const typing = [
      { after: /Base address of the system: /, keys: 'https://api.example.com\n' },
      { after: /bearer or basic: /, keys: 'basic\n' },
      { after: /First entity/, keys: 'tickets\n' },
    ]
    assert.equal((await conex(['connector', 'new', 'desk'], { folder, terminal: { typing } })).code, 0)
    const source = readFileSync(join(folder, 'connectors/desk/connector.ts'), 'utf8')
    for (const part of ["baseUrl: 'https://api.example.com'", "style: 'basic'", "path: '/tickets'"])
      assert.ok(source.includes(part), part)
  })

  it('is refused before anything is written, where a name or an answer cannot be', async () => {
    const folder = project()
    const refused = [
      [['Desk'], /small letters and digits/],
      [['asana'], /is the name of Asana/],
      [['desk'], /Pass --url/],
      [['desk', '--url', 'somewhere'], /--url/],
      [['desk', '--url', 'https://a.example', '--auth', 'bearer', '--entity', "it's"], /small letters, digits and "_"/],
    ] as const
    for (const [args, sentence] of refused) {
      const { code, stderr } = await conex(['connector', 'new', ...args], { folder })
      assert.equal(code, 2)
      assert.match(stderr, sentence)
    }
    assert.ok(!existsSync(join(folder, 'connectors')))
  })

  it('replaces nothing, and says how an existing configuration loads it', async () => {
    const folder = project()
    writeFileSync(join(folder, 'conex.config.ts'), 'export default {}\n')
    const make = () => conex(['connector', 'new', 'desk', '--auth', 'bearer', ...flags], { folder })
    assert.match((await make()).stderr, /Add '\.\/connectors\/desk' to connectors/)
    assert.equal(readFileSync(join(folder, 'conex.config.ts'), 'utf8'), 'export default {}\n')
    const again = await make()
    assert.equal(again.code, 2)
    assert.match(again.stderr, /exists already/)
  })
})
