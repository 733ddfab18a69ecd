/** Servers as child processes on one database, which tests kill, stall and start again. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOf } from '../../src/conformance/copied.ts'
import { catalog } from '../../src/connectors/index.ts'
import { simulators } from '../../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../../src/simulator/simulators.ts'
import { streamedEntities } from '../../src/sync/entity-order.ts'
import { type Running, startConex } from '../command.ts'
import { type CopiedKind, settledRecords } from './synced.ts'
import { assertSame, truthOf } from './truth.ts'
import type { Truth } from './truths/ask.ts'

/** How many days of what is dated are copied here, so that a sync is short. */
const days: Readonly<Record<CopiedKind, number | null>> = {
  asana: null,
  'facebook-marketing': 20,
  gong: 65,
  hubspot: null,
  slack: null,
}

type HostName = '127.0.0.1' | 'localhost'

export interface Node {
  readonly running: Running
  /** The name by which this node alone reaches the systems, so that their logs tell who asked. */
  readonly host: HostName
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  call(method: string, path: string, body?: object): Promise<{ status: number; text: string; body: any }>
  kill(): Promise<void>
}

export interface Nodes {
  readonly systems: RunningSimulators
  /** Starts a server; a second one is given another host name to reach the systems by. */
  start(host?: HostName): Promise<Node>
  truth(kind: CopiedKind): Promise<Truth>
  /** How often each page was asked for since the last clearing. */
  pages(kind: CopiedKind): ReadonlyMap<string, number>
  close(): Promise<void>
}

const client = { client_id: 'test', client_secret: 'a secret of the tests, long enough for them' }

/** `databaseUrl` is a file of its own when left out. */
export async function startNodes(scale: number, databaseUrl?: string): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-nodes-'))
  const systems = await startSimulators(Object.values(simulators), { callsPerMinute: null, scale })
  const prefixOf = (kind: string): string => `CONEX_${kind.toUpperCase().replaceAll('-', '_')}`

  const started = new Set<Running>()

  async function start(host: HostName = '127.0.0.1'): Promise<Node> {
    const ofSystems = Object.entries(systems.describe()).flatMap(([kind, { base_url: url }]) => [
      [`${prefixOf(kind)}_BASE_URL`, url.replace('127.0.0.1', host)],
      // As the simulated systems have none here.
      [`${prefixOf(kind)}_CALL_LIMITS`, 'none'],
    ])
    const running = startConex(['serve'], {
      cwd: folder,
      env: {
        CONEX_PORT: '0',
        CONEX_ALLOW_PRIVATE_NETWORK: 'true',
        CONEX_CLIENT_ID: client.client_id,
        CONEX_CLIENT_SECRET: client.client_secret,
        CONEX_SYNC_LEASE_SECONDS: '1',
        ...(databaseUrl !== undefined && { CONEX_DATABASE_URL: databaseUrl }),
        ...Object.fromEntries(ofSystems),
      },
    })
    started.add(running)
    const [, origin] = await running.printed(/"origin":"([^"]+)","msg":"listening"/)
    let token: string | null = null
    const self: Node = {
      running,
      host,
      async call(method, path, body) {
        const response = await fetch(origin + path, {
          method,
          headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
      },
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
    truth: (kind) => truthOf({ systems, clock: { now: Date.now } as never }, kind),
    pages(kind) {
      const counts = new Map<string, number>()
      for (const { path, query, body } of requestsOf(systems, kind)) {
        // A page token is new each time it is given out, and a stretch of time that is not over ends at another moment in each sync.
        const asked = query.replace(/(offset|cursor)=[^&]*/, '$1').replace(/latest=\d+\.(?!0+\b)\d+/, 'latest')
        const page = `${path}?${asked} ${body.replace(/"cursor":"[^"]*"/, 'cursor')}`
        counts.set(page, (counts.get(page) ?? 0) + 1)
      }
      return counts
    },
    async close() {
      for (const running of started) await running.stop('SIGKILL')
      await systems.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What a system received. */
export const requestsOf = ({ requests }: RunningSimulators, kind: CopiedKind) =>
  requests.filter(({ path }) => path.startsWith(`/${kind}/`))

/** Makes a connector, whose first sync begins at once; gives its id. */
export async function connect(node: Node, { systems }: Nodes, kind: CopiedKind): Promise<string> {
  const back = days[kind]
  const date = back === null ? null : new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const created = await node.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'ann',
    connector_type: kind,
    name: randomUUID(),
    credentials: systems.describe()[kind]!.credentials[0]!,
    replication_config: systems.tour(kind).replication_config,
    ...(date !== null && { sync: { start_date: `${date}T00:00:00Z` } }),
  })
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

/** Judges every entity of a copy. */
export async function isTrue(node: Node, id: string, kind: CopiedKind, truth: Truth): Promise<void> {
  for (const { entity } of streamedEntities(catalog[kind])) {
    const copy = await copyOf((params) =>
      node.call('POST', `/api/v1/connectors/sources/${id}/execute`, { entity, action: 'search', params }),
    )
    const settled = settledRecords(entity, Date.now(), (days[kind] ?? 360) - 2)
    assertSame(kind, entity, new Map([...copy].filter(settled)), new Map([...truth[entity]!].filter(settled)))
  }
}
