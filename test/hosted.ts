/** The whole product for tests: the simulated systems, a server on a fresh database, and a caller that speaks HTTP. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type Answer, type Ask, call, executePath, request } from '../src/conformance/answers.ts'
import { type SkippingClock, skippingClock } from '../src/conformance/skipping-clock.ts'
import { catalog } from '../src/connectors/index.ts'
import { simulators } from '../src/connectors/simulators.ts'
import { joinKinds } from '../src/loading/join-kinds.ts'
import type { LoadedKind } from '../src/loading/load-kinds.ts'
import type { RunningServer, ServeOptions } from '../src/server/serve.ts'
import type { Settings } from '../src/server/settings.ts'
import { startServer } from '../src/server/start.ts'
import type { Effect } from '../src/simulator/fault-effects.ts'
import type { Fault } from '../src/simulator/faults.ts'
import type { RecordedRequest } from '../src/simulator/requests.ts'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from '../src/simulator/simulators.ts'
import { openStore } from '../src/store/open.ts'

export {
  type Answer,
  type Ask,
  connectors,
  executePath,
  isFine,
  isProblem,
} from '../src/conformance/answers.ts'

/** The people whose credentials the simulated Asana gives out. */
export type Person = 'one' | 'oauth' | 'volunteer' | 'two'
const people: readonly Person[] = ['one', 'oauth', 'volunteer', 'two']

export interface Hosted {
  readonly systems: RunningSimulators
  readonly server: RunningServer
  readonly clock: SkippingClock
  readonly at: Readonly<Record<string, string>>
  /** The folder of the database. */
  readonly folder: string
  /** A token of the end user `ann`. */
  readonly ann: string
  /** Her connector, with a personal access token of a person in one workspace. */
  readonly connector: string
  /** Everything that was logged. */
  log(): string
  credentials(person: Person): Readonly<Record<string, string>>
  /** A new connector; gives its id. */
  connect(credentials: object, token?: string, kind?: string): Promise<string>
  call(method: string, path: string, ask?: Ask): Promise<Answer>
  execute(entity: string, action: string, params?: unknown, on?: Ask & { readonly connector?: string }): Promise<Answer>
  /** The answer with its body still on the way. */
  stream(
    entity: string,
    params: object,
    on?: { connector?: string; token?: string; signal?: AbortSignal },
  ): Promise<Response>
  /** A fault in the simulated Asana's interface, or in the host of its files. */
  fault(effect: Effect, where?: Omit<Fault, 'kind' | 'effect'>): void
  /** Forgets faults, received requests and waits. */
  calm(): void
  /** What reached the simulators since the last calm. */
  received(): readonly RecordedRequest[]
  /** May be called twice; a test registers it before anything can fail, so that a failure is one and not a hang. */
  close(): Promise<void>
}

export interface HostedOptions {
  readonly settings?: Partial<Settings>
  readonly serve?: ServeOptions
  readonly simulators?: SimulatorOptions
  readonly clock?: SkippingClock
  /** A database that another server has used. */
  readonly folder?: string
  /** Kinds from outside of Conex, each with a simulated system. */
  readonly outside?: readonly LoadedKind[]
}

export async function startHosted(options: HostedOptions = {}): Promise<Hosted> {
  const folder = options.folder ?? (await freshFolder())
  const { clock = skippingClock(), outside = [] } = options
  const others = await Promise.all(outside.map(async (kind) => (await kind.simulator())!))
  const systems = await startSimulators([...Object.values(simulators), ...others], {
    callsPerMinute: null,
    now: clock.now,
    ...options.simulators,
  })
  const described = systems.describe()
  const asana = described.asana!
  let log = ''
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  const server = await startServer(
    {
      port: 0,
      databaseUrl: `sqlite:${join(folder, 'conex.db')}`,
      allowPrivateNetwork: true,
      logLevel: 'debug',
      baseUrls: Object.fromEntries(Object.entries(described).map(([kind, { base_url }]) => [kind, base_url])),
      applications: Object.fromEntries(
        Object.entries(described).flatMap(([kind, { application }]) =>
          application ? [[kind, { clientId: application.client_id, clientSecret: application.client_secret }]] : [],
        ),
      ),
      ...options.settings,
    },
    { logTo, clock, random: () => 0.1, syncs: false, ...options.serve },
    joinKinds(catalog, outside),
  )
  const ann = (await server.issueToken('ann')).token

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    // What a test has left running ends at once where the systems are gone.
    await systems.close()
    await server.close()
    if (options.folder === undefined) rmSync(folder, { recursive: true })
  }

  const hosted: Omit<Hosted, 'connector'> & { connector: string } = {
    systems,
    server,
    clock,
    folder,
    ann,
    connector: '',
    at: systems.landmarks('asana'),
    log: () => log,
    credentials: (person) => asana.credentials[people.indexOf(person)]!,

    call: (method, path, ask) => call(server.origin + path, method, ask),

    async connect(credentials, token = ann, kind = 'asana') {
      const { replication_config } = systems.tour(kind)
      const body = {
        connector_type: kind,
        name: randomUUID(),
        credentials,
        ...(replication_config && { replication_config }),
      }
      const created = await hosted.call('POST', '/v1/integrations/connectors', { token, body })
      assert.equal(created.status, 201, created.text)
      return created.body.id
    },

    execute: (entity, action, params, { connector = hosted.connector, ...ask } = {}) =>
      hosted.call('POST', executePath(connector), { token: ann, body: { entity, action, params }, ...ask }),

    stream: (entity, params, { connector = hosted.connector, token = ann, signal } = {}) =>
      request(server.origin + executePath(connector), 'POST', {
        token,
        body: { entity, action: 'download', params },
        ...(signal && { signal }),
      }),

    fault(effect, where = {}) {
      systems.faults.add({ kind: 'asana', effect, ...where })
    },

    calm() {
      systems.faults.clear()
      systems.clearRequests()
      clock.waits.length = 0
    },

    received: () => systems.requests,

    close: () => (closed ??= close()),
  }
  hosted.connector = await hosted.connect(hosted.credentials('one'))
  return hosted
}

/** A folder with a database whose tables are there: a copy of one, because making them costs more than most tests. */
async function freshFolder(): Promise<string> {
  emptyDatabase ??= makeEmptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'conex-test-'))
  copyFileSync(await emptyDatabase, join(folder, 'conex.db'))
  return folder
}

let emptyDatabase: Promise<string> | undefined

async function makeEmptyDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-empty-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'conex.db')
  await (await openStore(`sqlite:${file}`, catalog)).close()
  return file
}

/** Every byte in the files of a folder. */
export const keptIn = (folder: string): Buffer =>
  Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))

/** Waits for something that no event tells, looking again every millisecond; gives up after a minute. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!holds()) {
    assert.ok(Date.now() < end, `It never came to ${holds}.`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
