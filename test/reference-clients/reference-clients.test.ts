/**
 * The clients that the reference service publishes work with Conex by a change of their address. `npm run test:long` runs
 * them and records their requests; here each of those is sent again.
 */
import { after, before, describe, it } from 'node:test'
import { judge } from './judge.ts'
import { learn, literalsOf, show } from './placeholders.ts'
import { generations, recorded, type SentRequest, send } from './requests.ts'
import { type Served, startServed } from './served.ts'

describe('the clients of the reference service', () => {
  let served: Served
  before(async () => {
    served = await startServed()
  })
  after(() => served.close())

  for (const generation of generations)
    it(`get from each of their requests what Conex’s own client gets (${generation})`, async () => {
      const literals = literalsOf(served)
      for (const line of recorded(generation)) {
        const request: SentRequest = JSON.parse(show(line, literals))
        const answer = await send(served.hosted.server.origin, request)
        learn(literals, answer)
        await judge(served, request, answer).catch((error: Error) => {
          error.message = `${line}\n${answer.status} ${answer.text.slice(0, 1000)}\n${error.message}`
          throw error
        })
      }
    })
})
