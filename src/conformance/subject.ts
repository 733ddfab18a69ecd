/** A kind under test: hosted and local, against its simulated system, with an example of each of its operations. */
import assert from 'node:assert/strict'
import { checkCredentials } from '../catalog/check-credentials.ts'
import type { Connector } from '../catalog/connector.ts'
import type { ConnectorType } from '../catalog/describe.ts'
import { connect } from '../client/connect.ts'
import type { Uniform } from '../client/connector-types.ts'
import type { RecordedRequest } from '../simulator/requests.ts'
import type { RunningSimulators } from '../simulator/simulators.ts'
import type { ExampleParams, SimulatedSystem } from '../simulator/system.ts'
import { hasDatedRecords } from '../sync/entity-order.ts'
import { type Answer, call, connectors, executePath, isFine, request } from './answers.ts'
import { type Copied, copiedBy } from './copied.ts'
import type { Named } from './operations.ts'
import { samples } from './samples.ts'
import { monday, startService } from './service.ts'
import { skippingClock } from './skipping-clock.ts'

export interface Subject {
  readonly systems: RunningSimulators
  /** The client library, in this process. */
  readonly local: Uniform
  /** The client library, through the service. */
  readonly through: Uniform
  /** What the service tells of the kind. */
  readonly type: ConnectorType
  /** The service's OpenAPI document. */
  // biome-ignore lint/suspicious/noExplicitAny: checks look into it in many ways
  readonly document: any
  /** Credentials that the system takes, for every auth method of the kind. */
  readonly credentials: ReadonlyMap<string, Readonly<Record<string, string>>>
  example(of: Named): ExampleParams
  /** Creates a connector; gives the answer, whatever it is. */
  create(credentials: object): Promise<Answer>
  check(id: string): Promise<{ readonly status: string; readonly checked: object; readonly error?: { code: string } }>
  execute(of: Named, params: object, choice?: object): Promise<Answer>
  /** The download's answer with its body still on the way. */
  stream(of: Named, params: object): Promise<Response>
  /** The copy of a connector of its own, which holds a few days of what is dated. It is filled once, by the first that asks. */
  copied(): Promise<Copied>
  /** What reached the simulated system since the last calm. */
  received(): readonly RecordedRequest[]
  /** What was thrown in the service since the last calm and is no refusal, with the places that it came from. */
  defects(): readonly string[]
  /** Forgets faults, received requests and the log. */
  calm(): void
  close(): Promise<void>
}

export async function startSubject(connector: Connector, simulator: SimulatedSystem): Promise<Subject> {
  const { kind } = connector
  assert.equal(simulator.kind, kind, `the simulated system has the kind "${simulator.kind}", not "${kind}"`)
  const service = await startService(connector, simulator)
  try {
    return await subjectOf(connector, service)
  } catch (error) {
    await service.close()
    throw error
  }
}

async function subjectOf(
  connector: Connector,
  { systems, server, clock, log, close }: Awaited<ReturnType<typeof startService>>,
): Promise<Subject> {
  const { kind } = connector
  const system = systems.describe()[kind]!
  const [credentials] = system.credentials
  assert.ok(credentials, 'the simulated system gives out no credentials: return some from its start')
  const examples = systems.examples(kind)
  let issued = { token: '', at: Number.NEGATIVE_INFINITY }
  // Waits move the clock, and may outlast a token.
  async function token(): Promise<string> {
    const now = clock.now()
    if (now - issued.at > 60_000) issued = { token: (await server.issueToken('ann')).token, at: now }
    return issued.token
  }
  const ask = async (method: string, path: string, body?: object) =>
    call(server.origin + path, method, { token: await token(), body })

  const create = async (given: object) => {
    const replication = connector.replicationConfig && {
      replication_config: samples(connector.replicationConfig).at(-1),
    }
    const body = { connector_type: kind, name: crypto.randomUUID(), credentials: given, ...replication }
    return ask('POST', connectors, body)
  }
  const created = await create(credentials)
  assert.equal(
    created.status,
    201,
    `the first credentials of the simulated system make no connector: ${created.body?.detail ?? created.text}`,
  )
  const id: string = created.body.id

  const local = connect(connector, {
    credentials: credentials as never,
    baseUrl: system.base_url,
    allowPrivateNetwork: true,
    engine: { clock: skippingClock(() => monday), random: () => 0.1 },
  }) as unknown as Uniform
  const through = connect(connector, { baseUrl: server.origin, token, connectorId: id }) as unknown as Uniform

  async function fillCopy(): Promise<Copied> {
    const copied = copiedBy(server, token, (await create(credentials!)).body.id)
    if (hasDatedRecords(connector)) await copied.startDaysAgo(10, clock.now())
    await copied.sync()
    return copied
  }
  let copied: Promise<Copied> | undefined

  return {
    systems,
    local,
    through,
    type: isFine(await ask('GET', `/v1/integrations/connector-types/${kind}`)),
    document: isFine(await ask('GET', '/openapi.json')),
    credentials: new Map(
      [...system.credentials].reverse().map((given) => [checkCredentials(connector, given).method.name, given]),
    ),
    example({ entity, action }) {
      const params = examples[entity]?.[action]
      assert.ok(params, `the simulated system has no example of ${entity} ${action}: add one to its examples`)
      return params
    },
    create,
    check: async (connectorId) => isFine(await ask('POST', `${connectors}/${connectorId}/check`)),
    execute: ({ entity, action }, params, choice) =>
      ask('POST', executePath(id), { entity, action, params, ...choice }),
    stream: async ({ entity }, params) => {
      const body = { entity, action: 'download', params }
      return request(server.origin + executePath(id), 'POST', { token: await token(), body })
    },
    copied: () => (copied ??= fillCopy()),
    received: () => systems.requests,
    defects: () => log.flatMap(defectIn),
    calm() {
      systems.faults.clear()
      systems.clearRequests()
      clock.waits.length = 0
      log.length = 0
    },
    async close() {
      await local.close()
      await close()
    },
  }
}

/** The defect that a line of the log tells of. */
function defectIn(line: string): string[] {
  if (!/"code":"internal"|"at":\[/.test(line)) return []
  const { error = [], at = [] } = JSON.parse(line) as {
    readonly error?: readonly { readonly message: string }[]
    readonly at?: readonly string[]
  }
  return error.length === 0 ? [line.trim()] : [[...error.map(({ message }) => message), ...at].join('\n  ')]
}
