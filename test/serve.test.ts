import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { simulators } from '../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { conexProcess, endAll, main, type Running, startConex } from './command.ts'
import { inTerminal } from './terminal.ts'

describe('conex serve', () => {
  let systems: RunningSimulators
  const folders: string[] = []
  const client = { client_id: 'the-first', client_secret: 'a-long-enough-secret-of-the-first-client' }

  before(async () => {
    systems = await startSimulators(Object.values(simulators))
  })
  after(async () => {
    endAll()
    await systems.close()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), 'conex-serve-')))
    return folders.at(-1)!
  }

  /** A server as an operator runs it, and a caller with a token of its first client. */
  async function serve(cwd: string, env: Readonly<Record<string, string>> = {}) {
    const running = startConex(['serve'], {
      cwd,
      env: {
        CONEX_PORT: '0',
        CONEX_CLIENT_ID: client.client_id,
        CONEX_CLIENT_SECRET: client.client_secret,
        CONEX_ASANA_BASE_URL: systems.describe().asana!.base_url,
        CONEX_ALLOW_PRIVATE_NETWORK: 'true',
        // A sync of every connector would be most of the work.
        CONEX_SYNC_ENABLED: 'false',
        ...env,
      },
    })
    const origin = (await running.printed(/"origin":"([^"]+)"/))[1]!
    const post = (path: string, body: object, token?: string) =>
      fetch(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    const issued = await post('/api/v1/account/applications/token', client)
    const { access_token } = (await issued.json()) as { access_token: string }
    return { running, origin, post: (path: string, body: object) => post(path, body, access_token) }
  }

  type Served = Awaited<ReturnType<typeof serve>>

  async function connector({ post }: Served): Promise<string> {
    const created = await post('/v1/integrations/connectors', {
      external_user_id: 'ann',
      connector_type: 'asana',
      name: 'Tasks',
      credentials: systems.describe().asana!.credentials[0],
    })
    const { id, existing_id } = (await created.json()) as { id?: string; existing_id?: string }
    return (id ?? existing_id)!
  }

  it('refuses to start with settings that are wrong, and lists all that is', async () => {
    const { code, stderr, stdout } = await conexProcess(['serve'], {
      cwd: folder(),
      env: {
        CONEX_PORT: 'eighty',
        CONEX_DATABASE_URL: 'mysql://x',
        CONEX_LOG_LEVEL: 'loud',
        CONEX_CLIENT_ID: 'alone',
        CONEX_ENCRYPTION_KEYS: 'canary-key',
        CONEX_ALLOW_PRIVAT_NETWORK: 'true',
        CONEX_ASANA_BASE_URL: 'not an address',
      },
    })
    assert.notEqual(code, 0)
    assert.equal(stdout.length, 0)
    for (const told of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'CLIENT_SECRET', 'ENCRYPTION_KEYS', 'ASANA_BASE_URL'])
      assert.match(stderr, new RegExp(`CONEX_${told}\\b`))
    assert.match(stderr, /CONEX_ALLOW_PRIVAT_NETWORK .*did you mean CONEX_ALLOW_PRIVATE_NETWORK/)
    assert.doesNotMatch(stderr, /canary|\n\s+at /)
  })

  it('makes its keys for itself alone, goes on after a restart, and stops clean at SIGTERM and SIGINT', async () => {
    const cwd = folder()
    const first = await serve(cwd)
    const id = await connector(first)
    const ended = await first.running.stop('SIGTERM')
    assert.equal(ended.code, 0, ended.stderr)
    assert.match(ended.stdout.toString(), /"stopped"/)
    const data = join(cwd, 'data')
    assert.equal(statSync(join(data, 'keys.json')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(data).sort(), ['conex.db', 'keys.json'])

    const second = await serve(cwd)
    assert.equal(await connector(second), id)
    const list = await second.post(`/api/v1/connectors/sources/${id}/execute`, { entity: 'workspaces', action: 'list' })
    assert.equal(list.status, 200)
    await list.body?.cancel()
    assert.equal((await second.running.stop('SIGINT')).code, 0)
  })

  it('tells a person where it is, what to keep, and how to get a token, which works', async () => {
    const cwd = folder()
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const CONEX_PORT = String((free.address() as AddressInfo).port)
    await new Promise((resolve) => free.close(resolve))
    const start = () =>
      inTerminal(
        ['serve'],
        { cwd, env: { CONEX_PORT, NO_COLOR: '1' } },
        { typing: [{ after: /Ctrl-C/, keys: '\u0003' }] },
      )
    const first = await start()
    assert.equal(first.code, 0, first.text)
    const text = first.text.replaceAll('\r', '')
    const origin = `http://127.0.0.1:${CONEX_PORT}`
    assert.match(text, new RegExp(`address +${origin}\n +documents +${origin}/docs\n`))
    assert.ok(text.includes(join(cwd, 'data/conex.db')) && text.includes(join(cwd, 'data/keys.json')))
    assert.match(text, /Back up the keys/)
    assert.doesNotMatch(text, /\{"level"/)
    assert.match(text, /^\d\d:\d\d:\d\d stopped/m)
    const commands = text.split('\n').filter((line) => /^(export| {2}-[Hd]) /.test(line))

    const running = startConex(['serve'], { cwd, env: { CONEX_PORT } })
    await running.printed(/"listening"/)
    const token = execFileSync('/bin/sh', ['-euc', `${commands.join('\n')}\nprintf %s "$CONEX_TOKEN"`]).toString()
    const list = await fetch(`${origin}/v1/integrations/connectors`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(list.status, 200)
    await running.stop()
    // The secret is shown once.
    assert.doesNotMatch((await start()).text, /CLIENT_SECRET=/)
  })

  it('prints nothing but JSON lines where no person reads', async () => {
    const running = startConex(['serve'], { cwd: folder(), env: { CONEX_PORT: '0' } })
    await running.printed(/client_secret/)
    const { stdout, stderr } = await running.stop()
    const [made, ...rest] = stderr.trim().split('\n')
    assert.deepEqual(Object.keys(JSON.parse(made!)), ['msg', 'client_id', 'client_secret'])
    assert.deepEqual(rest, [])
    for (const line of stdout.toString().trim().split('\n')) assert.ok(JSON.parse(line).msg)
  })

  it('lets a running download finish when it is told to stop', async () => {
    const served = await serve(folder())
    const id = await connector(served)
    systems.faults.add({ kind: 'asana', host: 'files', effect: { type: 'drip', interval_ms: 2, bytes: 20 } })
    const response = await served.post(`/api/v1/connectors/sources/${id}/execute`, {
      entity: 'attachments',
      action: 'download',
      params: { attachment_gid: systems.landmarks('asana').attachment_1000_bytes },
    })
    const ended = served.running.stop()
    assert.equal((await response.arrayBuffer()).byteLength, 1000)
    assert.equal((await ended).code, 0)
  })

  it('ends at once when it is told a second time, with the code of that signal', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const served = await serve(folder())
      const id = await connector(served)
      systems.faults.add({ kind: 'asana', host: 'files', effect: { type: 'drip', interval_ms: 100, bytes: 1 } })
      const response = await served.post(`/api/v1/connectors/sources/${id}/execute`, {
        entity: 'attachments',
        action: 'download',
        params: { attachment_gid: systems.landmarks('asana').attachment_1000_bytes },
      })
      const cut = assert.rejects(response.arrayBuffer())
      served.running.child.kill('SIGTERM')
      // Whoever is told to stop takes no more calls.
      while (
        await fetch(`${served.origin}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        )
      );
      const ended = await served.running.stop(signal)
      assert.equal(ended.code, code, ended.stderr)
      await cut
      systems.faults.clear()
    }
  })

  it('gives the same dates wherever it stands', async () => {
    const { project, task_with_attachments } = systems.landmarks('asana')
    const answers = await Promise.all(
      ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'].map(async (zone) => {
        const served = await serve(folder(), { TZ: zone })
        const id = await connector(served)
        const texts: string[] = []
        for (const body of [
          { entity: 'tasks', action: 'list', params: { project, completed_since: '2026-05-20' } },
          { entity: 'tasks', action: 'get', params: { task_gid: task_with_attachments } },
          { entity: 'projects', action: 'get', params: { project_gid: project } },
        ])
          texts.push(await (await served.post(`/api/v1/connectors/sources/${id}/execute`, body)).text())
        await served.running.stop()
        assert.match(texts[1]!, /"due_on":"\d{4}-\d\d-\d\d"/)
        return texts
      }),
    )
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
  })
})

/**
 * Starts what the lines for a desktop program name, as such a program does, and reads through it. The program of the tests stands for
 * the one that npx would download.
 */
async function connectsAgents(shown: string): Promise<void> {
  const [lines] = /\{"mcpServers"(?:.*\n){2}.*/.exec(shown)!
  const { command, args, env } = JSON.parse(lines).mcpServers.conex
  const own = args.indexOf('mcp')
  const started = [command, ...args.slice(0, own)].join(' ')
  assert.ok(['npx -y -p conex-server conex', `${process.execPath} ${main}`].includes(started), started)
  const client = new Client({ name: 'test', version: '1' })
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, ...args.slice(own)], env }))
    const { content } = await client.callTool({ name: 'list_connectors', arguments: {} })
    assert.match(JSON.stringify(content), /asana/)
  } finally {
    await client.close()
  }
}

describe('conex demo', () => {
  it('shows what can be read first, and prints commands and a program that work, with each run', async (t) => {
    const cwd = mkdtempSync(join(tmpdir(), 'conex-demo-'))
    t.after(() => {
      endAll()
      rmSync(cwd, { recursive: true })
    })
    // The sources stand for the installed package.
    mkdirSync(join(cwd, 'node_modules'))
    symlinkSync(join(import.meta.dirname, '..'), join(cwd, 'node_modules/conex'))
    const env = { CONEX_PORT: '0' }

    /** Does in a shell what the demo proposes; gives the id of its first connector and all that it showed. */
    async function followed(running: Running): Promise<{ id: string; shown: string }> {
      const [shown] = await running.printed(/^[\s\S]*Ctrl-C/)
      const commands = shown.split('\n').filter((line) => /^(export|curl| {2}-[Hd]) /.test(line))
      const told = `${commands.join('\n')}\nprintf ' %s' "$CONNECTOR_ID"`
      const said = execFileSync('/bin/sh', ['-euc', told], { maxBuffer: 64 * 1024 * 1024 })
        .toString()
        .split(' ')
      const id = said.pop()!
      assert.equal(said.join(' ').match(/"(result|connector_metadata)":/g)!.length, 2 * 10, said.join(' '))

      const exports = commands.filter((line) => /^export (?!CONEX_TOKEN)/.test(line)).join('; ')
      const [program] = /data\/first-program\.mjs/.exec(shown)!
      const run = `${exports}; "${process.execPath}" --conditions=conex-source ${program}`
      const printed = execFileSync('/bin/sh', ['-euc', run], {
        cwd,
        env: { PATH: process.env.PATH! },
        encoding: 'utf8',
      })
      assert.ok(printed.split('\n').length > 5, printed)
      assert.match(printed, /^\d+ \S/)
      return { id, shown }
    }
    const first = startConex(['demo'], { cwd, env })
    const { id, shown } = await followed(first)
    await connectsAgents(shown)
    assert.equal((await first.stop('SIGINT')).code, 0)
    assert.match(shown, /list \w+: \d+ records/)
    assert.match(shown, /download attachments: .* of /)
    assert.match(shown, /documents +http:\S+\/docs\n/)
    assert.match(shown, /agents +http:\S+\/mcp\n/)
    const second = startConex(['demo'], { cwd, env })
    assert.equal((await followed(second)).id, id)
    const ended = await second.stop('SIGTERM')
    assert.equal(ended.code, 0)
    assert.equal(ended.stderr, '')
  })
})
