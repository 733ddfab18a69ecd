/** Follows docs/your-own-connector.md to the letter, in a project outside of this one. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { conexProcess, type Running, startConex } from './command.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/your-own-connector.md'), 'utf8')
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

  const [create, ownTest, catalog, details] = linesOf('sh') as [string, string, string, string]
  const words = (line: string): string[] => line.replace(/^\$ /, '').split(' ').slice(1)

  it('begins with files that work', async () => {
    assert.equal((await command(words(create))).code, 0)
    assert.match(node('--conditions=conex-source', ...words(ownTest)), /^ℹ pass 2$/m)
    assert.match((await command(words(catalog))).stderr, /^$/)
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

  it('is read, served, copied, searched and typed', async () => {
    const [simulate, execute, serve, connect, search] = linesOf('console') as [string, string, string, string, string]
    const systems = startConex(words(simulate.replace('9400', '0')), { cwd: folder })
    started.push(systems)
    const { base_url } = JSON.parse((await systems.printed(/^\{.*\}$/m))[0]).library
    const there = (line: string): string => line.replace('http://127.0.0.1:9400/library', base_url)
    const read = await command(words(there(execute)))
    assert.equal(read.records().length, 40, read.stderr)

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
