import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { simulators } from '../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { conex, endAll, type Running, startConex } from './command.ts'

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
    const { code, stderr, stdout } = await conex(['serve'], {
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

describe('conex demo', () => {
  it('shows a list, a download and a call to copy, and goes on where it was', async (t) => {
    const cwd = mkdtempSync(join(tmpdir(), 'conex-demo-'))
    t.after(() => {
      endAll()
      rmSync(cwd, { recursive: true })
    })
    const env = { CONEX_PORT: '0' }
    const copied = async (running: Running): Promise<string> => {
      const [, token] = await running.printed(/export CONEX_TOKEN=(\S+)/)
      const [, address, body] = await running.printed(/curl -s (\S+execute) [\s\S]*?-d '(.*)'/)
      await running.printed(/Ctrl-C/)
      const answer = await fetch(address!, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body!,
      })
      assert.equal(answer.status, 200)
      assert.ok(((await answer.json()) as { result: unknown[] }).result.length > 0)
      return new URL(address!).pathname
    }
    const first = startConex(['demo'], { cwd, env })
    const path = await copied(first)
    const shown = (await first.stop('SIGINT')).stdout.toString()
    assert.match(shown, /list \w+: \d+ records/)
    assert.match(shown, /download attachments: .* of /)
    assert.match(shown, /secret +\S{20,} +shown only now/)
    const second = startConex(['demo'], { cwd, env })
    assert.equal(await copied(second), path)
    const ended = await second.stop('SIGTERM')
    assert.equal(ended.code, 0)
    assert.doesNotMatch(ended.stdout.toString(), /shown only now/)
    assert.equal(ended.stderr, '')
  })
})
