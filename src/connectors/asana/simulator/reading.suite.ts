/** What the tests of the simulated Asana share: starting it, and reading from it as one of its people. */
import { after } from 'node:test'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from '../../../kit/simulator.ts'
import { asanaSimulator } from './simulator.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
  readonly body: any
}

export interface Reading {
  readonly simulators: RunningSimulators
  readonly at: Readonly<Record<string, string>>
  readonly baseUrl: string
  /** Credentials by what they are good for. */
  readonly token: { readonly paid: string; readonly free: string; readonly two: string; readonly oauth: string }
  readonly oauth: Readonly<Record<string, string>>
  get(path: string, token?: string): Promise<Answer>
  /** The message of a refusal, with its status. */
  refusal(path: string, token?: string): Promise<string>
  change(change: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>
}

export async function startReading(options: SimulatorOptions = {}): Promise<Reading> {
  const simulators = await startSimulators([asanaSimulator], { callsPerMinute: null, ...options })
  after(() => simulators.close())
  const { base_url: baseUrl, credentials } = simulators.describe().asana!
  const [paid, oauth, free, two] = credentials
  const token = { paid: paid!.token!, free: free!.token!, two: two!.token!, oauth: oauth!.access_token! }
  const get = async (path: string, as = token.paid): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, { headers: as === '' ? {} : { authorization: `Bearer ${as}` } })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return {
    simulators,
    at: simulators.landmarks('asana'),
    baseUrl,
    token,
    oauth: oauth!,
    get,
    async refusal(path, as) {
      const { status, body } = await get(path, as)
      return `${status} ${body.errors?.[0]?.message}`
    },
    change: (change, fields = {}) => simulators.change('asana', { change, ...fields }),
  }
}
