/** For tests of simulated systems: starts one until the tests end, and reads from it. */
import { after } from 'node:test'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from './simulators.ts'
import type { SimulatedSystem } from './system.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
  readonly body: any
}

export interface StartedSystem {
  readonly simulators: RunningSimulators
  readonly at: Readonly<Record<string, string>>
  readonly baseUrl: string
  readonly credentials: readonly Readonly<Record<string, string>>[]
  ask(path: string, init?: RequestInit): Promise<Answer>
  change(change: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>
}

/** Without limits on calls, unless the options set some. */
export async function startSystem(system: SimulatedSystem, options: SimulatorOptions): Promise<StartedSystem> {
  const simulators = await startSimulators([system], { callsPerMinute: null, ...options })
  after(() => simulators.close())
  const { base_url: baseUrl, credentials } = simulators.describe()[system.kind]!
  return {
    simulators,
    at: simulators.landmarks(system.kind),
    baseUrl,
    credentials,
    async ask(path, init) {
      const response = await fetch(`${baseUrl}${path}`, init)
      const text = await response.text()
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
      return { status: response.status, headers: response.headers, body }
    },
    change: (change, fields = {}) => simulators.change(system.kind, { change, ...fields }),
  }
}
