/** What the tests of this kind share: the simulated system, the kind connected to it, and time that costs none. */
import assert from 'node:assert/strict'
import { connect, type LocalOptions } from '../../src/client/connect.ts'
import { type SkippingClock, skippingClock } from '../../src/conformance/skipping-clock.ts'
import { gongSimulator } from '../../src/connectors/gong/simulator/simulator.ts'
import type { EngineSettings } from '../../src/engine/settings.ts'
import { ConexError, type ErrorCode } from '../../src/errors.ts'
import type { RecordedRequest } from '../../src/simulator/requests.ts'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from '../../src/simulator/simulators.ts'

export type Gong = ReturnType<typeof connect<'gong'>>
export type Key = { readonly access_key: string; readonly access_key_secret: string }
export type Grant = {
  readonly refresh_token: string
  readonly access_token: string
  readonly client_id: string
  readonly client_secret: string
}

export interface Connection {
  readonly simulators: RunningSimulators
  /** Stands still but for waits, which put it forward; the simulated system goes by it too. */
  readonly clock: SkippingClock
  readonly gong: Gong
  readonly at: Readonly<Record<string, string>>
  readonly baseUrl: string
  readonly key: Key
  readonly grant: Grant
  /** Another connection to the same system. */
  connect(credentials: Key | Grant, more?: Partial<LocalOptions<'gong'>>): Gong
  change(change: string, fields?: Readonly<Record<string, unknown>>): void
  /** Runs something and gives the requests that it made, to either host. */
  during(run: () => Promise<unknown>): Promise<readonly RecordedRequest[]>
  close(): Promise<void>
}

/** A Monday morning in the simulated company. */
const morning = Date.UTC(2026, 5, 15, 20, 0, 0)

export async function startConnection(
  options: SimulatorOptions = {},
  engine: Partial<EngineSettings> = {},
): Promise<Connection> {
  const clock = skippingClock(() => morning)
  const simulators = await startSimulators([gongSimulator], { now: clock.now, scale: 600, ...options })
  const { base_url: baseUrl, credentials } = simulators.describe().gong!
  const open: Gong[] = []
  const self: Connection = {
    simulators,
    clock,
    at: simulators.landmarks('gong'),
    baseUrl,
    key: credentials[0] as Key,
    grant: credentials[1] as Grant,
    get gong() {
      return open[0]!
    },
    connect(credentials, more = {}) {
      const settings = { clock, random: () => 0.5, ...engine, ...more.engine }
      const connected = connect('gong', { credentials, baseUrl, allowPrivateNetwork: true, ...more, engine: settings })
      open.push(connected)
      return connected
    },
    change: (change, fields = {}) => void simulators.change('gong', { change, ...fields }),
    async during(run) {
      simulators.clearRequests()
      await run()
      return [...simulators.requests]
    },
    async close() {
      await Promise.all(open.map((connected) => connected.close()))
      await simulators.close()
    },
  }
  self.connect(self.key)
  return self
}

/** The error that a call ends with, which has this code. */
export async function refused(call: Promise<unknown>, code: ErrorCode): Promise<ConexError> {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof ConexError, `not an error of ours: ${String((error as Error).stack)}`)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, /^[A-Z].*[.?!]|: /s)
    return error
  }
  return assert.fail(`it should have been refused with ${code}`)
}

export const bodyOf = (request: RecordedRequest | undefined): Record<string, unknown> =>
  JSON.parse(request?.body ?? 'null') as Record<string, unknown>
