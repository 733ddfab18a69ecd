/** For tests: the simulated Marketing API, and a connection to it whose waits take no time. */
import assert from 'node:assert/strict'
import { connect, type LocalOptions } from '../../src/client/connect.ts'
import { fromTheHour } from '../../src/conformance/skipping-clock.ts'
import { facebookMarketingSimulator } from '../../src/connectors/facebook-marketing/simulator/simulator.ts'
import { patientClock } from '../../src/engine/scripted-system.suite.ts'
import { ConexError, type ErrorCode } from '../../src/errors.ts'
import { silentLog } from '../../src/log.ts'
import type { Effect } from '../../src/simulator/fault-effects.ts'
import { type SimulatorOptions, startSimulators } from '../../src/simulator/simulators.ts'

type Credentials = LocalOptions<'facebook-marketing'>['credentials']

export type Simulated = Awaited<ReturnType<typeof startSimulated>>

export async function startSimulated(options: SimulatorOptions = {}) {
  const systems = await startSimulators([facebookMarketingSimulator], { now: fromTheHour, scale: 600, ...options })
  const { base_url: baseUrl, credentials } = systems.describe()['facebook-marketing']!
  const clock = patientClock()
  const warnings: string[] = []
  const log = { ...silentLog, warn: (_: unknown, message: string) => void warnings.push(message) }
  const open = (given: object) =>
    connect('facebook-marketing', {
      credentials: given as Credentials,
      baseUrl,
      allowPrivateNetwork: true,
      engine: { clock, random: () => 0.1, log },
    })
  const connections = [open(credentials[0]!)]
  return {
    systems,
    clock,
    /** What the operator was warned of. */
    warnings,
    baseUrl,
    credentials,
    at: systems.landmarks('facebook-marketing'),
    facebook: connections[0]!,
    /** Another connection, with these credentials. */
    connectWith(given: object) {
      const connection = open(given)
      connections.push(connection)
      return connection
    },
    /** Strikes the next calls. */
    fault(effect: Effect, times: number | null = 1, path?: string) {
      systems.faults.add({ effect, times, ...(path === undefined ? {} : { path }) })
    },
    /** Answers the next calls with an error as Graph writes it. */
    refuse(error: object, { status = 400, times = null, headers = {} }: RefuseOptions = {}) {
      systems.faults.add({ effect: { type: 'status', status, body: { error }, headers }, times })
    },
    /** What was sent since the last calm: method, path below the base address, and query. */
    sent: () =>
      systems.requests.map(({ method, path, query, headers, body, status }) => ({
        method,
        path: path.replace('/facebook-marketing/v26.0', ''),
        query: Object.fromEntries(new URLSearchParams(query)),
        headers,
        body,
        status,
      })),
    calm() {
      systems.faults.clear()
      systems.clearRequests()
      clock.slept.length = 0
      warnings.length = 0
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()))
      await systems.close()
    },
  }
}

interface RefuseOptions {
  readonly status?: number
  readonly times?: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The error that a call ends with, which has to have this code. */
export async function failure(call: Promise<unknown>, code: ErrorCode): Promise<ConexError> {
  const error = await call.then(
    () => assert.fail(`it succeeded instead of ${code}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ConexError, String(error))
  assert.equal(error.code, code, error.message)
  return error
}
