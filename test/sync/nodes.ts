/** Servers as child processes on one database, which tests kill, stall and start again. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulators } from '../../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../../src/simulator/simulators.ts'
import { endAll, type Running, startConex } from '../command.ts'
import { copyOf } from './truth.ts'

export interface Node {
  readonly running: Running
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  call(method: string, path: string, body?: object): Promise<{ status: number; text: string; body: any }>
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  copy(id: string, entity: string): Promise<Map<string, any>>
  kill(): Promise<void>
}

export interface Nodes {
  readonly systems: RunningSimulators
  start(): Promise<Node>
  /** Forgets the database. */
  afresh(): void
  close(): Promise<void>
}

const client = { client_id: 'test', client_secret: 'a secret of the tests, long enough for them' }

export async function startNodes(scale: number): Promise<Nodes> {
  const folders: string[] = []
  const afresh = (): void => void folders.push(mkdtempSync(join(tmpdir(), 'conex-nodes-')))
  afresh()
  const systems = await startSimulators(Object.values(simulators), { callsPerMinute: null, scale })

  async function start(): Promise<Node> {
    const running = startConex(['serve'], {
      cwd: folders.at(-1)!,
      env: {
        CONEX_PORT: '0',
        CONEX_ALLOW_PRIVATE_NETWORK: 'true',
        CONEX_ASANA_BASE_URL: systems.describe().asana!.base_url,
        CONEX_CLIENT_ID: client.client_id,
        CONEX_CLIENT_SECRET: client.client_secret,
        CONEX_SYNC_LEASE_SECONDS: '1',
        // As the simulated system has none here.
        CONEX_ASANA_CALL_LIMITS: 'none',
      },
    })
    const [, origin] = await running.printed(/"origin":"([^"]+)","msg":"listening"/)
    let token: string | null = null
    const self: Node = {
      running,
      async call(method, path, body) {
        const response = await fetch(origin + path, {
          method,
          headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
      },
      copy: (id, entity) =>
        copyOf((params) =>
          self.call('POST', `/api/v1/connectors/sources/${id}/execute`, { entity, action: 'search', params }),
        ),
      async kill() {
        await running.stop('SIGKILL')
      },
    }
    token = (await self.call('POST', '/api/v1/account/applications/token', client)).body.access_token
    assert.ok(token)
    return self
  }

  return {
    systems,
    start,
    afresh,
    async close() {
      endAll()
      await systems.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a connector, whose first sync begins at once; gives its id. */
export async function connect(node: Node, systems: RunningSimulators): Promise<string> {
  const body = {
    external_user_id: 'ann',
    connector_type: 'asana',
    name: 'Copied',
    credentials: systems.describe().asana!.credentials[0]!,
  }
  const created = await node.call('POST', '/v1/integrations/connectors', body)
  assert.equal(created.status, 201, created.text)
  return created.body.id
}

/** Waits until every entity of the copy is whole and no sync runs. */
export async function whole(node: Node, id: string): Promise<void> {
  const end = Date.now() + 90_000
  for (;;) {
    const { body } = await node.call('GET', `/v1/integrations/connectors/${id}/sync`)
    if (body.run === null && body.entities.every(({ complete }: { complete: boolean }) => complete)) return
    assert.ok(Date.now() < end, JSON.stringify(body))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
