import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { type Fixture, json, startFixture } from './fixture.suite.ts'

/** Starts a list and gives back the waiting answer of the third-party system. */
async function beginList(
  fixture: Fixture,
  agent: Agent,
): Promise<{ upstream: ServerResponse; answer: Promise<[IncomingMessage]> }> {
  const token = await fixture.bearer()
  const id = await fixture.connect(token)
  const { promise: reached, resolve } = Promise.withResolvers<ServerResponse>()
  fixture.answer = (_request, response) => resolve(response)
  const { hostname, port } = new URL(fixture.server.origin)
  const call = httpRequest({
    agent,
    hostname,
    port,
    method: 'POST',
    path: `/api/v1/connectors/sources/${id}/execute`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const answer = once(call, 'response') as Promise<[IncomingMessage]>
  answer.catch(() => {})
  call.end(JSON.stringify({ entity: 'notes', action: 'list' }))
  return { upstream: await reached, answer }
}

const agentOf = () => new Agent({ keepAlive: true, maxSockets: 1 })

describe('a server that stops', () => {
  it('finishes what runs, closes idle connections at once, and takes nothing new', async () => {
    const fixture = await startFixture()
    const { hostname, port } = new URL(fixture.server.origin)
    const silent = connect(Number(port), hostname)
    await once(silent, 'connect')
    const { upstream, answer } = await beginList(fixture, agentOf())
    const idle = connect(Number(port), hostname)
    idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const gone = Promise.all([once(silent, 'close'), once(idle, 'close')])

    const stopped = fixture.server.close()
    await gone
    await assert.rejects(() => fixture.call('GET', '/healthz'))
    json(upstream, 200, { data: [{ id: '1', title: 't' }], next: null })
    const [response] = await answer
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers.connection, 'close')
    assert.deepEqual(JSON.parse(Buffer.concat(parts).toString()).result, [{ id: '1', title: 't' }])
    await stopped
    await fixture.close()
  })

  it('does not answer a request that comes behind a running one', async () => {
    const fixture = await startFixture()
    const { upstream, answer } = await beginList(fixture, agentOf())
    const { hostname, port } = new URL(fixture.server.origin)
    const id = await fixture.connect(await fixture.bearer())
    const piped = connect(Number(port), hostname)
    let seen = ''
    piped.on('data', (part) => {
      seen += part
    })
    const body = '{"entity":"notes","action":"list"}'
    const { promise: reached, resolve } = Promise.withResolvers<ServerResponse>()
    fixture.answer = (_request, response) => resolve(response)
    piped.write(
      `POST /api/v1/connectors/sources/${id}/execute HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await fixture.bearer()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const second = await reached
    const stopped = fixture.server.close()
    piped.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    for (const response of [upstream, second]) json(response, 200, { data: [], next: null })
    await answer
    await once(piped, 'close')
    assert.equal(seen.match(/HTTP\/1\.1 200/g)?.length, 1, seen)
    await stopped
    await fixture.close()
  })

  it('cuts what takes longer than the limit, and the reading for it', async () => {
    const fixture = await startFixture({ stopSeconds: 0 })
    const { upstream, answer } = await beginList(fixture, agentOf())
    const upstreamClosed = once(upstream, 'close')
    await fixture.server.close()
    await upstreamClosed
    await assert.rejects(answer)
    await fixture.close()
  })

  it('is not ready while load balancers turn away, yet still answers', async () => {
    const fixture = await startFixture({ stopDelaySeconds: 0.3 })
    assert.deepEqual((await fixture.call('GET', '/readyz')).body, { status: 'ready' })
    const stopped = fixture.server.close()
    const refused = await fixture.call('GET', '/readyz')
    assert.deepEqual([refused.status, refused.body], [503, { status: 'stopping' }])
    assert.equal((await fixture.call('GET', '/healthz')).status, 200)
    await stopped
    await fixture.close()
  })

  it('stops once, however often it is asked', async () => {
    const fixture = await startFixture()
    await Promise.all([fixture.server.close(), fixture.server.close()])
    await fixture.close()
  })
})
