/** Follows docs/write-a-connector.md to the letter, in a project outside of this one. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { conexProcess, type Running, startConex } from './command.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/write-a-connector.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
  language: language!,
  file,
  text: text!,
}))
const linesOf = (language: string): string[] =>
  blocks.filter((block) => block.language === language).flatMap(({ text }) => text.split('\n').filter(Boolean))

describe('a connector of your own', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-own-')))
  const started: Running[] = []
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/conex'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  after(async () => {
    for (const running of started) await running.stop()
    rmSync(folder, { recursive: true })
  })

  const node = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })

  // A process of its own for each, as a reader has: one process loads a file once.
  const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    conexProcess(args, { cwd: folder, env })

  const [create, testNew, catalog, details, testOwn, inCi] = linesOf('sh') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const words = (line: string): string[] => line.replace(/^\$ /, '').split(' ').slice(1)

  it('begins with files that work', async () => {
    assert.equal((await command(words(create))).code, 0)
    const { code, stdout, stderr } = await command(words(testNew))
    assert.equal(code, 0, String(stdout) + stderr)
    assert.match(String(stdout), /^16 of 16 checks passed/m)
    assert.match((await command(words(catalog))).stderr, /^$/)
    const written = readFileSync(join(folder, 'connectors/library/connector.test.ts'), 'utf8')
    assert.ok(
      blocks.some(({ file, language, text }) => file === undefined && language === 'ts' && written.endsWith(text)),
    )
  })

  it('declares what the system says, and is told what is wrong', async () => {
    for (const { file, text } of blocks) if (file !== undefined) writeFileSync(join(folder, file), text)
    const { records } = await command(words(details))
    assert.match(JSON.stringify(records()), /A year needs an author/)
    const source = readFileSync(join(folder, 'connectors/library/connector.ts'), 'utf8')
    const without = source.replace(/^ *cursor: 'after',\n/m, '')
    assert.notEqual(without, source)
    mkdirSync(join(folder, 'wrong'))
    writeFileSync(join(folder, 'wrong/connector.ts'), without)
    const told = await command(words(details), { CONEX_CONNECTORS: './wrong' })
    assert.match(
      told.stderr,
      /^invalid_request \.\/wrong\/connector\.ts: entities\.books\.list\.paging\.cursor is required/,
    )
  })

  it('is held to the conformance suite, by the command and in its own test', async () => {
    const { code, stdout, stderr } = await command(words(testOwn))
    assert.equal(code, 0, String(stdout) + stderr)
    assert.match(
      String(stdout),
      /✓ books list keeps to its rule: A year needs an author\.[\s\S]*17 of 17 checks passed/,
    )
    assert.match(node('--conditions=conex-source', ...words(inCi)), /^ℹ pass 18\nℹ fail 0$/m)
  })

  it('is told what to mend if the two sides differ', async () => {
    const change = (file: string, part: string, by: string): void => {
      const path = join(folder, 'broken', file)
      const source = readFileSync(path, 'utf8')
      assert.ok(source.includes(part), part)
      writeFileSync(path, source.replaceAll(part, by))
    }
    cpSync(join(folder, 'connectors/library'), join(folder, 'broken'), { recursive: true })
    change('simulator/simulator.ts', 'year: 1920', 'published: 1920')
    change('simulator/simulator.ts', 'book.year', 'book.published')
    change('connector.ts', "'reauthorization_required'", "'upstream_refused'")
    const { code, stdout } = await command(['connector', 'test', './broken'])
    assert.equal(code, 1)
    assert.match(
      String(stdout),
      /✗ books list answers as declared[\s\S]*year[\s\S]*to mend: Compare the record of books list/,
    )
    assert.match(String(stdout), /status 401 must become reauthorization_required, not upstream_refused/)
  })

  it('is read, served, copied, searched and typed', async () => {
    const [simulate, attempt, serve, connect, search] = linesOf('console') as [string, string, string, string, string]
    const systems = startConex(words(simulate.replace('9400', '0')), { cwd: folder })
    started.push(systems)
    const { base_url } = JSON.parse((await systems.printed(/^\{.*\}$/m))[0]).library
    const there = (line: string): string => line.replace('http://127.0.0.1:9400/library', base_url)
    const read = await command(words(there(attempt)))
    assert.equal(read.records().length, 40, read.stderr)
    assert.match(read.stderr, /→ 1 GET .*author=Woolf[\s\S]*authorization: Bearer •••[\s\S]*← 1 200 OK/)
    writeFileSync(join(folder, 'library.json'), '{"token": "simulated-token"}')
    const [real] = linesOf('text')
    const address = ['--base-url', base_url, '--allow-private-network']
    assert.equal((await command([...words(real!), ...address])).records().length, 40)

    const settings = there(serve)
      .split(' ')
      .filter((word) => word.includes('='))
      .map((word) => word.split('=') as [string, string])
    const client = { CONEX_CLIENT_ID: 'own', CONEX_CLIENT_SECRET: 'a-long-enough-secret-of-this-client' }
    const server = startConex(['serve'], {
      cwd: folder,
      env: { CONEX_PORT: '0', ...Object.fromEntries(settings), ...client },
    })
    started.push(server)
    const env = { CONEX_URL: (await server.printed(/"origin":"([^"]+)"/))[1]!, ...client }
    assert.equal((await command(words(connect), env)).code, 0)
    let hits = 0
    for (let tries = 0; hits === 0 && tries < 100; tries++) {
      const { code, records } = await command(words(search), env)
      if (code === 0) hits = records().length
      else await sleep(100)
    }
    assert.equal(hits, 10)

    writeFileSync(
      join(folder, 'run.ts'),
      `import { titlesOf } from './read-library.ts'
       console.log((await titlesOf('Woolf', 'simulated-token', '${base_url}')).length)`,
    )
    assert.equal(node('--conditions=conex-source', 'run.ts').trim(), '40')
    const options = { extends: join(root, 'tsconfig.json'), include: ['*.ts', 'connectors/library/*/*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const typed = readFileSync(join(folder, 'read-library.ts'), 'utf8')
    // Each has one error, on the line of the loop, and would not compile without it either.
    const wrong = {
      times: ['book.year + 0', 'book.title * 2'],
      writer: ['{ author })', '{ writer: author })'],
    } as const
    for (const [name, [right, other]] of Object.entries(wrong)) {
      assert.ok(typed.includes(right))
      const source = typed.replace(right, other).replace('  for await', '  // @ts-expect-error\n  for await')
      writeFileSync(join(folder, `${name}.ts`), source)
    }
    node(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.')
  })
})
