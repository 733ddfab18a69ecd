/** Part of `npm run test:long`: follows docs/write-a-connector-example.md to the letter, in a copy of the project. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/write-a-connector-example.md'), 'utf8')

/** The blocks of the page: what they are written in, the file they are for, and their text. */
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
  language: language!,
  file,
  text: text!,
}))
const linesOf = (language: string): string[] =>
  blocks.filter((block) => block.language === language).flatMap(({ text }) => text.split('\n').filter(Boolean))

describe('the connector that the documents add', () => {
  const copy = mkdtempSync(join(tmpdir(), 'conex-example-'))
  // A test that is run by a test would report to its parent; what it reads from its environment is the path alone.
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }

  before(() => {
    for (const part of ['src', 'test', 'bench', 'build', 'docs', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  })
  after(() => rmSync(copy, { recursive: true }))

  it('is a folder of its own, and one line in each of three lists', () => {
    const named = blocks.flatMap(({ file }) => file ?? [])
    const outside = named.filter((file) => !file.startsWith('src/connectors/service-desk/'))
    const lists = ['index', 'load', 'simulators'].map((name) => `src/connectors/${name}.ts`)
    assert.deepEqual([...new Set(outside)], lists)
    for (const { language, file, text } of blocks) if (file !== undefined) write(join(copy, file), language, text)
  })

  for (const line of linesOf('sh'))
    it(`passes ${line}`, () => {
      const { status, stdout, stderr } = spawnSync(line, { cwd: copy, env, shell: true, encoding: 'utf8' })
      assert.equal(status, 0, stdout + stderr)
      // A pattern that matches nothing would pass as well.
      if (line.startsWith('node --test')) assert.match(stdout, /^ℹ pass [1-9]/m)
    })

  it('has its page, and its place in the OpenAPI document', () => {
    assert.ok(existsSync(join(copy, 'docs/connectors/service-desk.md')))
    const build = "import { writeOpenApiDocument } from './build/openapi-document.ts'; await writeOpenApiDocument('.')"
    execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: copy, env })
    const { components } = JSON.parse(readFileSync(join(copy, 'openapi.json'), 'utf8'))
    assert.ok(components.schemas['service-desk.tickets.list'])
  })

  it('reads from its simulated system on the command line', async (t) => {
    const [serve, read] = linesOf('console').map((line) => line.replace(/^\$ /, ''))
    const systems = spawn('/bin/sh', ['-c', `exec ${serve!.replace('--port 9400', '--port 0')}`], { cwd: copy, env })
    t.after(() => systems.kill())
    const [printed] = await once(systems.stdout, 'data')
    const { base_url } = JSON.parse(String(printed))['service-desk']
    const line = read!.replace('http://127.0.0.1:9400/service-desk/v2', base_url)
    assert.notEqual(line, read)
    const { status, stdout, stderr } = spawnSync(line, { cwd: copy, env, shell: true, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const tickets = stdout
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one))
    assert.deepEqual(
      tickets.map(({ status }) => status),
      ['open', 'open'],
    )
  })
})

/** A file as it is shown; of a `diff` the lines that go and the lines that come. */
function write(file: string, language: string, text: string): void {
  if (language !== 'diff') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return
  }
  const side = (left: string): string =>
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(left))
      .map((line) => line.slice(1))
      .join('\n')
  const [gone, come] = [side('+'), side('-')]
  const before = readFileSync(file, 'utf8')
  assert.equal(before.split(gone).length, 2, `${file} does not have this once:\n${gone}`)
  writeFileSync(
    file,
    before.replace(gone, () => come),
  )
}
