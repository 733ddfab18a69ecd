import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Hosted, isFine, startHosted, until } from './hosted.ts'

describe('a caller that hangs up', () => {
  let hosted: Hosted
  const { connections } = { connections: () => hosted.systems.connections }

  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('in the middle of a file stops the upstream read, a hundred times over', async () => {
    const params = { attachment_gid: hosted.at.attachment_1gib! }
    const before = { sent: connections().bytesSent('files'), memory: process.memoryUsage().rss }
    for (let time = 0; time < 100; time++) {
      const stop = new AbortController()
      const response = await hosted.stream('attachments', params, { signal: stop.signal })
      let read = 0
      for await (const chunk of response.body!) {
        read += chunk.length
        if (read > 1024 ** 2) break
      }
      stop.abort()
      await until(() => connections().running() === 0)
    }
    const sent = connections().bytesSent('files') - before.sent
    // What lies in the buffers of sockets is on its way already; a file read to its end would be 1024 MiB.
    assert.ok(sent < 100 * 16 * 1024 ** 2, `${Math.round(sent / 1024 ** 2)} MiB were sent`)
    assert.ok(process.memoryUsage().rss - before.memory < 256 * 1024 ** 2)
    isFine(await hosted.execute('workspaces', 'list'))
  })

  for (const [name, where] of [
    ['the record', { host: 'api' }],
    ['the file', { host: 'files' }],
  ] as const)
    it(`before the first byte, while ${name} is being thought about, stops it`, async () => {
      hosted.fault({ type: 'never' }, { ...where, times: null })
      for (let time = 0; time < 20; time++) {
        const stop = new AbortController()
        const asked = hosted.stream('attachments', { attachment_gid: hosted.at.attachment! }, { signal: stop.signal })
        await until(() => connections().running(where.host) === 1)
        stop.abort()
        await assert.rejects(asked)
        await until(() => connections().running() === 0)
      }
    })

  it('while a list is on its way, or waits for a repeat, stops it', async () => {
    for (const effect of [{ type: 'never' }, { type: 'stall' }, { type: 'drip', interval_ms: 5 }] as const) {
      hosted.calm()
      hosted.fault(effect, { times: null })
      const stop = new AbortController()
      const asked = hosted.execute('workspaces', 'list', {}, { signal: stop.signal })
      await until(() => connections().running() === 1)
      stop.abort()
      await assert.rejects(asked)
      await until(() => connections().running() === 0)
      assert.equal(hosted.received().length, 1)
    }
  })

  it('is written to the log as such, not as a failure', async () => {
    await until(() => hosted.log().includes('"status":499'))
    assert.doesNotMatch(hosted.log(), /"code":"internal"|"level":"?(50|error)/)
  })

  it('after half a request leaves nothing running', async () => {
    const { hostname, port } = new URL(hosted.server.origin)
    for (let time = 0; time < 20; time++) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(
        `POST /api/v1/connectors/sources/${hosted.connector}/execute HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hosted.ann}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"entity"`,
      )
      socket.resetAndDestroy()
    }
    isFine(await hosted.call('GET', '/healthz'))
    assert.deepEqual(hosted.received(), [])
  })
})
