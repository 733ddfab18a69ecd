/** The one way out of a network, set in the environment as all programs know it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { simulators } from '../src/connectors/simulators.ts'
import { connect as connectTo } from '../src/index.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { conexProcess, endAll, startConex } from './command.ts'

describe('a proxy in the environment', () => {
  let systems: RunningSimulators
  let baseUrl: string
  let token: string
  let folder: string
  let proxy: string
  const tunnels: string[] = []
  const server = createServer()

  before(async () => {
    systems = await startSimulators(Object.values(simulators))
    const described = systems.describe().asana!
    baseUrl = described.base_url
    token = described.credentials[0]!.token!
    folder = mkdtempSync(join(tmpdir(), 'conex-proxy-'))
    server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
      tunnels.push(url!)
      const { hostname, port } = new URL(`http://${url}`)
      const onward = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      })
      for (const end of [socket, onward])
        end.on('error', () => {}).on('close', () => [socket, onward].forEach((one) => void one.destroy()))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    tunnels.length = 0
  })
  after(async () => {
    endAll()
    await systems.close()
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('is used by the command line and by a client without a server, and passed over where it should be', async (t) => {
    const args = ['--base-url', baseUrl, '--allow-private-network', '--credential', `token=${token}`]
    for (const [env, uses] of [
      [{ HTTP_PROXY: proxy }, true],
      [{ https_proxy: 'http://127.0.0.1:1', http_proxy: proxy }, true],
      [{ CONEX_UPSTREAM_PROXY: proxy, HTTP_PROXY: 'http://127.0.0.1:1' }, true],
      [{ HTTP_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1' }, false],
      [{ HTTP_PROXY: proxy, CONEX_UPSTREAM_PROXY: 'none' }, false],
    ] as const) {
      tunnels.length = 0
      const { code, stderr } = await conexProcess(['execute', 'asana', 'workspaces', 'list', ...args], { env })
      assert.equal(code, 0, stderr)
      assert.deepEqual([...new Set(tunnels)], uses ? [new URL(baseUrl).host] : [])

      for (const [name, value] of Object.entries(env)) process.env[name] = value
      t.after(() => Object.keys(env).forEach((name) => void delete process.env[name]))
      tunnels.length = 0
      await using asana = connectTo('asana', { credentials: { token }, baseUrl, allowPrivateNetwork: true })
      await asana.workspaces.list()
      assert.deepEqual([...new Set(tunnels)], uses ? [new URL(baseUrl).host] : [])
      for (const name of Object.keys(env)) delete process.env[name]
    }
  })

  it('is used by the server, and one that is none stops the start', async () => {
    const env = {
      CONEX_PORT: '0',
      CONEX_DATABASE_URL: `sqlite:${join(folder, 'conex.db')}`,
      CONEX_CLIENT_ID: 'first',
      CONEX_CLIENT_SECRET: 'a-secret-of-the-first-client-0123456789',
      CONEX_ALLOW_PRIVATE_NETWORK: 'true',
      CONEX_ASANA_BASE_URL: baseUrl,
    }
    const wrong = await conexProcess(['serve'], { env: { ...env, HTTPS_PROXY: 'socks5://user:secret@127.0.0.1' } })
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr + wrong.stdout, /HTTPS_PROXY must be/)
    assert.doesNotMatch(wrong.stderr + wrong.stdout, /secret@/)

    const running = startConex(['serve'], { env: { ...env, HTTP_PROXY: proxy } })
    const [, origin] = await running.printed(/"origin":"([^"]+)"/)
    const service = { baseUrl: origin!, clientId: env.CONEX_CLIENT_ID, clientSecret: env.CONEX_CLIENT_SECRET }
    const body = JSON.stringify({ client_id: service.clientId, client_secret: service.clientSecret })
    const headers = { 'content-type': 'application/json' }
    const granted = await fetch(`${origin}/api/v1/account/applications/token`, { method: 'POST', headers, body })
    const { access_token: bearer } = (await granted.json()) as { access_token: string }
    const created = await fetch(`${origin}/v1/integrations/connectors?check=true`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${bearer}` },
      body: JSON.stringify({
        connector_type: 'asana',
        name: 'through a proxy',
        external_user_id: 'ann',
        credentials: { token },
        sync: { enabled: false },
      }),
    })
    assert.equal(created.status, 201, await created.text())
    await using asana = connectTo('asana', { ...service, externalUserId: 'ann' })
    await asana.workspaces.list()
    assert.deepEqual([...new Set(tunnels)], [new URL(baseUrl).host])
    await running.stop()
  })
})
