/** When the client library asks for tokens, judged by a service that says how long they are good and which it takes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { connect } from '../src/index.ts'

/** A service whose tokens are called 1, 2 and so on; `answer` gets the token of each call. */
async function startService(
  t: TestContext,
  seconds: number,
  answer: (token: string, response: ServerResponse) => void,
) {
  let minted = 0
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (!request.url!.endsWith('/applications/token')) {
      answer(request.headers.authorization!.replace('Bearer ', ''), response)
      return
    }
    response.end(JSON.stringify({ access_token: String(++minted), token_type: 'Bearer', expires_in: seconds }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asana = connect('asana', { baseUrl, clientId: 'id', clientSecret: 'secret', connectorId: 'x' })
  return { list: () => asana.workspaces.list(), minted: () => minted }
}

const take = (response: ServerResponse): void => {
  response.end('{"result":[],"connector_metadata":{}}')
}
const refuse = (response: ServerResponse): void => {
  response.writeHead(401).end('{}')
}

describe('a token of the client library', () => {
  it('is replaced half a minute before its end, and not before', async (t) => {
    for (const [seconds, wanted] of [
      [900, 1],
      [29, 3],
    ] as const) {
      const { list, minted } = await startService(t, seconds, (_, response) => take(response))
      for (let call = 0; call < 3; call++) await list()
      assert.equal(minted(), wanted)
    }
  })

  it('that was replaced while a call was on its way is not replaced again for that call', async (t) => {
    const old: ServerResponse[] = []
    const { list, minted } = await startService(t, 900, (token, response) => {
      if (token === '1') {
        old.push(response)
        if (old.length === 2) refuse(old[0]!)
        return
      }
      take(response)
      // The other call learns of it only when the new token is in use.
      if (!old[1]!.writableEnded) refuse(old[1]!)
    })
    await Promise.all([list(), list()])
    assert.equal(minted(), 2)
  })
})
