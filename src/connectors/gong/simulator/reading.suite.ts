/** What the tests of the simulated Gong share: starting it at a fixed time, and asking it with its access key. */
import { after } from 'node:test'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from '../../../kit/simulator.ts'
import { gongSimulator } from './simulator.ts'

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
  readonly key: string
  readonly grant: Readonly<Record<string, string>>
  get(path: string, authorization?: string): Promise<Answer>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Status and words of a refusal. */
  refusal(answer: Promise<Answer>): Promise<string>
  change(change: string, fields?: Readonly<Record<string, unknown>>): void
}

export const startTime = Date.UTC(2026, 5, 15, 20, 0, 0)

export async function startReading(options: SimulatorOptions = {}): Promise<Reading> {
  const simulators = await startSimulators([gongSimulator], {
    callsPerMinute: null,
    scale: 600,
    now: () => startTime,
    ...options,
  })
  after(() => simulators.close())
  const { base_url: baseUrl, credentials } = simulators.describe().gong!
  const [access, grant] = credentials
  const key = `Basic ${Buffer.from(`${access!.access_key}:${access!.access_key_secret}`).toString('base64')}`
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(baseUrl + path, init)
    const text = await response.text()
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  }
  return {
    simulators,
    at: simulators.landmarks('gong'),
    baseUrl,
    key,
    grant: grant!,
    get: (path, authorization = key) => ask(path, { headers: authorization === '' ? {} : { authorization } }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async refusal(answer) {
      const { status, body } = await answer
      return `${status} ${body.errors?.join(' ') ?? JSON.stringify(body)}`
    },
    change: (change, fields = {}) => void simulators.change('gong', { change, ...fields }),
  }
}
