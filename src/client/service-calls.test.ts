import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { conex } from './conex.ts'
import { connect } from './connect.ts'

async function listening(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a call of the hosted interface', () => {
  it('is not sent on to where something redirects it, for it carries a secret', async (t) => {
    let strayed = 0
    const elsewhere = await listening(t, (_request, response) => {
      strayed++
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const baseUrl = await listening(t, ({ url }, response) =>
        response.writeHead(status, { location: elsewhere + url }).end(),
      )
      const service = conex({ baseUrl, clientId: 'id', clientSecret: 'the secret' })
      await assert.rejects(service.connectorTypes.list(), { code: 'internal', message: /redirect.*baseUrl/ })
    }
    assert.equal(strayed, 0)
  })

  it('follows no list that never ends, and takes no answer for a list that is none', { timeout: 10_000 }, async (t) => {
    for (const answer of ['null', '{}', '[]', '"a"', '{"connectors":[]}', '{"connectors":[],"next_cursor":"again"}']) {
      const baseUrl = await listening(t, (_request, response) => response.end(answer))
      const service = conex({ baseUrl, token: 'a token' })
      await assert.rejects(Array.fromAsync(service.connectors.list.all()), { name: 'ConexError', message: /baseUrl/ })
      if (!answer.includes('next_cursor'))
        await assert.rejects(connect('asana', { baseUrl, token: 'a token', externalUserId: 'ann' }).check(), {
          name: 'ConexError',
          message: /baseUrl|no asana connector/,
        })
    }
  })

  it('sends no token that the service did not give', async (t) => {
    for (const answer of ['null', '{}', '{"access_token":1,"expires_in":900}', '{"access_token":"a"}', '[]']) {
      const asked: (string | undefined)[] = []
      const baseUrl = await listening(t, ({ headers }, response) => {
        asked.push(headers.authorization)
        response.end(answer)
      })
      const service = conex({ baseUrl, clientId: 'id', clientSecret: 'the secret' })
      await assert.rejects(service.connectorTypes.list(), { name: 'ConexError', message: /check baseUrl/ })
      assert.deepEqual(asked, [undefined])
    }
  })
})
