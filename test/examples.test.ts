/** Every program in examples/, run as it stands there, against a real server and simulated systems. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startConsenting } from './consenting.ts'
import { type Hosted, startHosted } from './hosted.ts'

const examples = join(import.meta.dirname, '..', 'examples')
const readme = readFileSync(join(examples, 'README.md'), 'utf8')

describe('examples', () => {
  let hosted: Hosted
  let folder: string
  let env: Record<string, string>
  const ran = new Set<string>()

  before(async () => {
    hosted = await startHosted({ simulators: { scale: 150 } })
    folder = mkdtempSync(join(tmpdir(), 'conex-examples-'))
    const { id, secret } = hosted.server.madeClient!
    env = {
      PATH: process.env.PATH!,
      // The sources stand for the installed package.
      NODE_OPTIONS: ['--conditions=conex-source', process.env.NODE_OPTIONS].join(' '),
      ASANA_BASE_URL: hosted.systems.describe().asana!.base_url,
      ASANA_TOKEN: hosted.credentials('one').token!,
      CONEX_URL: hosted.server.origin,
      CONEX_CLIENT_ID: id,
      CONEX_CLIENT_SECRET: secret,
    }
  })
  after(async () => {
    await hosted.close()
    rmSync(folder, { recursive: true })
  })

  function start(name: string, args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
    ran.add(name)
    const file = join(examples, name)
    const [program, ...before] = name.endsWith('.sh') ? ['/bin/sh', file] : [process.execPath, file]
    return spawn(program!, [...before, ...args], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** What a program that succeeds prints, line by line. */
  async function run(name: string, ...args: string[]): Promise<string[]> {
    const child = start(name, args)
    let out = ''
    let err = ''
    child.stdout.on('data', (part) => (out += part))
    child.stderr.on('data', (part) => (err += part))
    const [code] = await once(child, 'close')
    assert.deepEqual([code, err], [0, ''], `${name}: ${err}`)
    return out.trimEnd().split('\n')
  }

  const workspaces = async (): Promise<{ gid: string; name: string }[]> =>
    (await hosted.execute('workspaces', 'list')).body.result

  it('local-list.ts lists the open tasks of whoever owns the token', async () => {
    const lines = await run('local-list.ts')
    const [{ gid, name }] = (await workspaces()) as [{ gid: string; name: string }]
    const params = { workspace: gid, assignee: 'me', completed_since: 'now', limit: 100 }
    const { result } = (await hosted.execute('tasks', 'list', params)).body
    assert.ok(result.length > 0)
    assert.deepEqual(lines.slice(0, 1 + result.length), [
      name,
      ...result.map((task: { name: string }) => `- ${task.name}`),
    ])
  })

  it('local-list.ts tells what is wrong with a token', async () => {
    const child = start('local-list.ts', [], { ASANA_TOKEN: '2/1/none' })
    let err = ''
    child.stderr.on('data', (part) => (err += part))
    assert.deepEqual(await once(child, 'close'), [1, null])
    assert.match(err, /^reauthorization_required: /)
  })

  it('local-pages.ts asks for no more pages than it reads', async () => {
    hosted.calm()
    const lines = await run('local-pages.ts', '25')
    assert.equal(lines.length, 26)
    assert.equal(lines.at(-1), '25 tasks from 3 pages')
    assert.ok(hosted.received().filter(({ path }) => path.endsWith('/tasks/search')).length <= 4)
  })

  it('download-range.ts puts a file together from its parts', async () => {
    const file = join(folder, 'file')
    const lines = await run('download-range.ts', hosted.at.attachment_12338_bytes!, file)
    assert.deepEqual(lines, ['206 bytes 0-4095/12338', '206 bytes 4096-12337/12338'])
    const whole = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_12338_bytes })
    assert.deepEqual(readFileSync(file), Buffer.from(await whole.arrayBuffer()))
  })

  it('hosted-connector.ts makes one connector, however often it runs, which sync-progress.ts fills and search.ts searches', async () => {
    const lines = await run('hosted-connector.ts')
    const [, id] = /^connector (\S+) is healthy$/.exec(lines[0]!)!
    const names = (await workspaces()).map(({ name }) => name)
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(':')[0]),
      names,
    )
    assert.deepEqual(await run('hosted-connector.ts'), lines)

    const synced = await run('sync-progress.ts', id!)
    const tasks = synced.map((line) => /^finished +tasks +(\d+)$/.exec(line)?.[1]).find(Boolean)
    assert.ok(Number(tasks) > 100, synced.join('\n'))

    const found = await run('search.ts', id!)
    assert.match(found[0]!, /^5 hits from a copy that is \d+ s old and complete$/)
    const hits = found.slice(1, 6).map((line) => JSON.parse(line))
    for (const hit of hits) assert.ok(hit.assignee.name)
    const dates = hits.map(({ due_on }) => due_on).filter(Boolean)
    assert.deepEqual(dates, dates.toSorted())
    assert.match(found[6]!, /^\d+ tasks are late$/)
  })

  it('consent-server.ts brings an end user to the consent and back', async (t) => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const PORT = String((free.address() as AddressInfo).port)
    await new Promise((resolve) => free.close(resolve))
    const child = start('consent-server.ts', [], { PORT })
    t.after(() => child.kill())
    const [line] = await once(child.stdout, 'data')
    const [page] = /http:\S+/.exec(String(line))!
    const { press } = await startConsenting(hosted)
    const begun = await fetch(page, { redirect: 'manual' })
    const connected = await fetch(await press(begun.headers.get('location')!, 'allow'))
    const [, id] = /^Connected: (\S+)\n$/.exec(await connected.text())!
    const token = (await hosted.server.issueToken('grace')).token
    assert.equal((await hosted.execute('workspaces', 'list', {}, { connector: id!, token })).status, 200)
    const denied = await fetch(
      await press((await fetch(page, { redirect: 'manual' })).headers.get('location')!, 'deny'),
    )
    assert.equal(await denied.text(), 'No consent: access_denied\n')
  })

  it('agent-tools.ts lets a model read with tools', async () => {
    const lines = await run('agent-tools.ts')
    assert.match(lines[0]!, /^asana_describe \{"entity":"users"\}: \d+ characters$/)
    assert.match(lines[1]!, /^asana_execute \{"entity":"workspaces","action":"list"\}: \d+ characters$/)
    assert.match(lines[2]!, /^asana_execute \{"entity":"users","action":"list",.*\}: \d+ characters$/)
    assert.match(lines[3]!, new RegExp(`^There are \\d+ people in ${(await workspaces())[0]!.name}\\.$`))
  })

  it('curl.sh speaks the HTTP interface, and may be repeated', async () => {
    for (const lines of [await run('curl.sh'), await run('curl.sh')])
      assert.deepEqual(JSON.parse(lines.join('\n')).result, await workspaces())
  })

  it('reference-client.mjs runs as it was written for the reference service', async () => {
    const names = (await workspaces()).map(({ name }) => name).join(', ')
    const wanted = `${names}  {"next_page":null}`
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await run('reference-client.mjs'), ['healthy: workspaces list', wanted, wanted])
  })

  it('are all listed and all run', () => {
    const programs = readdirSync(examples).filter((name) => !['README.md', 'place.ts'].includes(name))
    const listed = [...readme.matchAll(/^\| \[`([^`]+)`\]\(\1\)/gm)].map(([, name]) => name)
    const commands = [...readme.matchAll(/^(?:node|sh) (\S+)/gm)].map(([, name]) => name)
    for (const names of [listed, commands, [...ran]]) assert.deepEqual(names.toSorted(), programs.toSorted())
  })
})
