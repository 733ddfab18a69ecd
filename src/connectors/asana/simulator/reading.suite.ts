/** What the tests of the simulated Asana share: starting it, and reading from it as one of its people. */
import type { SimulatorOptions } from '../../../kit/simulator.ts'
import { type Answer, startSystem } from '../../../simulator/reading.suite.ts'
import { asanaSimulator } from './simulator.ts'

export type { Answer }

export async function startReading(options: SimulatorOptions = {}) {
  const { credentials, ask, ...system } = await startSystem(asanaSimulator, options)
  const [paid, oauth, free, two] = credentials
  /** Credentials by what they are good for. */
  const token = { paid: paid!.token!, free: free!.token!, two: two!.token!, oauth: oauth!.access_token! }
  const get = (path: string, as = token.paid) =>
    ask(path, { headers: as === '' ? {} : { authorization: `Bearer ${as}` } })
  return {
    ...{ ...system, token, oauth: oauth!, get },
    /** The message of a refusal, with its status. */
    async refusal(path: string, as?: string) {
      const { status, body } = await get(path, as)
      return `${status} ${body.errors?.[0]?.message}`
    },
  }
}
