import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { it } from 'node:test'
import { defaultEngineSettings } from '../settings.ts'
import { createTransport } from './transport.ts'

it('a request offers no system HTTP/2', async (t) => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const transport = createTransport({ ...defaultEngineSettings, allowPrivateNetwork: true })
  t.after(async () => {
    await transport.close()
    server.close()
  })
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const refused = assert.rejects(
    transport.send({ method: 'GET', url, headers: {}, signal: new AbortController().signal }),
  )
  const [socket] = (await once(server, 'connection')) as [Socket]
  // What a client speaks stands in its first words, in the clear.
  const [hello] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  await refused
  assert.ok(hello.includes('\x08http/1.1'))
  assert.ok(!hello.includes('\x02h2'))
})
