/** A kind under test: hosted and local, against its simulated system, with an example of each of its operations. */
import assert from 'node:assert/strict'
import { actionsOf } from '../../src/catalog/catalog.ts'
import { checkCredentials } from '../../src/catalog/check-credentials.ts'
import type { Connector } from '../../src/catalog/connector.ts'
import type { ConnectorType } from '../../src/catalog/describe.ts'
import type { Operation } from '../../src/catalog/operation.ts'
import { connect } from '../../src/client/connect.ts'
import type { Uniform } from '../../src/client/connector-types.ts'
import type { Download } from '../../src/client/mode.ts'
import type { catalog } from '../../src/connectors/index.ts'
import type { Answer as ExecuteAnswer } from '../../src/engine/call/call.ts'
import type { ExampleParams } from '../../src/simulator/system.ts'
import { hasDatedRecords } from '../../src/sync/entity-order.ts'
import { type Answer, connectors, type Hosted, isFine, startHosted } from '../hosted.ts'
import { skippingClock } from '../skipping-clock.ts'
import { type Kind, type Synced, syncedOn } from '../sync/synced.ts'
import { samples } from './samples.ts'

/** One operation of a kind, by name. */
export interface Named {
  readonly entity: string
  readonly action: Operation['action']
  readonly operation: Operation
}

/** Every live operation of a kind, in the order of the catalog. */
export const operationsOf = (connector: Connector): Named[] =>
  Object.entries(connector.entities).flatMap(([entity, declared]) =>
    actionsOf(declared)
      .filter((action) => action !== 'search')
      .map((action) => ({ entity, action, operation: declared[action]! })),
  )

interface Local {
  execute(entity: string, action: string, params?: object): Promise<ExecuteAnswer>
  pages(entity: string, params?: object): AsyncGenerator<ExecuteAnswer, void, undefined>
  download(entity: string, params: object): Promise<Download>
  close(): Promise<void>
}

export interface Subject {
  readonly hosted: Hosted
  readonly local: Local
  /** The client library, through the service. */
  readonly through: Uniform
  /** What the service tells of the kind. */
  readonly type: ConnectorType
  /** Credentials that the system takes, for every auth method of the kind. */
  readonly credentials: ReadonlyMap<string, Readonly<Record<string, string>>>
  example(of: Named): ExampleParams
  /** Creates a connector; gives the answer, whatever it is. */
  create(credentials: object): Promise<Answer>
  check(id: string): Promise<{ readonly status: string; readonly checked: object; readonly error?: { code: string } }>
  execute(of: Named, params: object): Promise<Answer>
  /** The download's answer with its body still on the way. */
  stream(of: Named, params: object): Promise<Response>
  /** A connector of its own, whose copy holds a few days of what is dated; not synced yet. */
  copied(): Promise<Synced>
  close(): Promise<void>
}

/** A Monday, on which the simulated systems stand still, so that what they sign is the same at each reading. */
const monday = Date.UTC(2026, 5, 15, 20)

export async function startSubject(connector: Connector): Promise<Subject> {
  const { kind } = connector
  const clock = skippingClock(() => monday)
  const hosted = await startHosted({
    clock,
    simulators: { now: () => monday, scale: 150 },
    // A kind with many operations is called more often than any one caller should be.
    settings: { rateLimitPerMinute: 0, endUserRateLimitPerMinute: 0, tokenRateLimitPerMinute: 0 },
  })
  const system = hosted.systems.describe()[kind]
  assert.ok(system, `there is no simulated system for ${kind}: add it to src/connectors/simulators.ts`)
  const examples = hosted.systems.examples(kind)
  const type = isFine(await hosted.call('GET', `/v1/integrations/connector-types/${kind}`, { token: hosted.ann }))
  // What was waited for may outlast a token.
  const token = async () => (await hosted.server.issueToken('ann')).token

  const create = async (credentials: object) => {
    const replication = connector.replicationConfig && {
      replication_config: samples(connector.replicationConfig).at(-1),
    }
    const body = { connector_type: kind, name: crypto.randomUUID(), credentials, ...replication }
    return hosted.call('POST', connectors, { token: await token(), body })
  }
  const created = await create(system.credentials[0]!)
  assert.equal(created.status, 201, created.text)
  const id: string = created.body.id

  const local = connect(kind as keyof typeof catalog, {
    credentials: system.credentials[0] as never,
    baseUrl: system.base_url,
    allowPrivateNetwork: true,
    engine: { clock: skippingClock(() => monday), random: () => 0.1 },
  }) as unknown as Local

  const through: Uniform = connect(kind as keyof typeof catalog, {
    baseUrl: hosted.server.origin,
    token,
    connectorId: id,
  })

  return {
    hosted,
    local,
    through,
    type,
    credentials: new Map(
      [...system.credentials].reverse().map((given) => [checkCredentials(connector, given).method.name, given]),
    ),
    example({ entity, action }) {
      const params = examples[entity]?.[action]
      assert.ok(params, `the simulated system has no example of ${entity} ${action}`)
      return params
    },
    create,
    check: async (connectorId) =>
      isFine(await hosted.call('POST', `${connectors}/${connectorId}/check`, { token: await token() })),
    execute: async ({ entity, action }, params) =>
      hosted.execute(entity, action, params, { connector: id, token: await token() }),
    stream: async ({ entity }, params) => hosted.stream(entity, params, { connector: id, token: await token() }),
    async copied() {
      const synced = syncedOn(hosted, kind as Kind, (await create(system.credentials[0]!)).body.id)
      if (hasDatedRecords(connector)) await synced.startDaysAgo(10)
      return synced
    },
    async close() {
      await local.close()
      await hosted.close()
    },
  }
}
