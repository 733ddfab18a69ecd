/** Several servers as an operator runs them, each a process of its own, on one database; the simulated systems stay in the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { simulators } from '../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { main, type Running, startConex } from './command.ts'

export interface NodeAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export interface ServerNode {
  readonly running: Running
  readonly origin: string
  /** Rejects when the node does not answer. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<NodeAnswer>
}

export interface Nodes {
  readonly systems: RunningSimulators
  readonly folder: string
  /** What every node is started with; may be added to. */
  readonly env: Record<string, string>
  start(env?: Readonly<Record<string, string>>): Promise<ServerNode>
  /** The database as it is at this moment. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
  rows(sql: string, ...parameters: unknown[]): any[]
  close(): Promise<void>
}

const client = { client_id: 'the-first', client_secret: 'a-long-enough-secret-of-the-first-client' }

/** The program is the usual one, or another file. */
export async function prepareNodes(program = main): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-nodes-'))
  const systems = await startSimulators(Object.values(simulators), { callsPerMinute: null })
  const described = Object.entries(systems.describe())
  const env: Record<string, string> = {
    CONEX_PORT: '0',
    CONEX_CLIENT_ID: client.client_id,
    CONEX_CLIENT_SECRET: client.client_secret,
    CONEX_ALLOW_PRIVATE_NETWORK: 'true',
    CONEX_TOKEN_RATE_LIMIT_PER_MINUTE: '0',
    CONEX_LOG_LEVEL: 'info',
    // A sync of every connector would be most of the work.
    CONEX_SYNC_ENABLED: 'false',
    // As the simulated system has none here.
    CONEX_ASANA_CALL_LIMITS: 'none',
    ...Object.fromEntries(described.map(([kind, { base_url }]) => [`CONEX_${nameOf(kind)}_BASE_URL`, base_url])),
  }
  const started = new Set<Running>()

  return {
    systems,
    folder,
    env,

    async start(more = {}) {
      const running = startConex(['serve'], { program, cwd: folder, env: { ...env, ...more } })
      started.add(running)
      const origin = (await running.printed(/"origin":"([^"]+)"/))[1]!
      const ask = async (method: string, path: string, body?: unknown, headers = {}): Promise<NodeAnswer> => {
        const response = await fetch(origin + path, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
      }
      const issued = await ask('POST', '/api/v1/account/applications/token', client)
      const authorization = `Bearer ${issued.body.access_token}`
      return {
        running,
        origin,
        call: (method, path, body, headers = {}) => ask(method, path, body, { authorization, ...headers }),
      }
    },

    rows(sql, ...parameters) {
      const database = new Database(join(folder, 'data', 'conex.db'), { readonly: true })
      try {
        return database.prepare(sql).all(...parameters)
      } finally {
        database.close()
      }
    },

    async close() {
      for (const running of started) await running.stop('SIGKILL')
      await systems.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const nameOf = (kind: string): string => kind.toUpperCase().replaceAll('-', '_')
