import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { sendFile } from './send-file.ts'

/** A server that answers every request with this body, and a caller of it. */
async function served(body: Readable, patience = 60_000) {
  const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200)
    sendFile(body, response, patience)
    resolve(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    begun,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** A caller who asks and reads nothing. */
async function stalled(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return socket
}

/** Bytes without end. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })

describe('a file on its way to the caller', () => {
  it('arrives as it is, whatever it comes in', async () => {
    const shared = randomBytes(10_000)
    const pieces = [randomBytes(65_536), shared.subarray(0, 5000), shared.subarray(5000), Buffer.from('end'), shared]
    const whole = Buffer.concat(pieces)
    await using server = await served(Readable.from(pieces))
    const answer = await fetch(server.origin)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), whole)
  })

  it('takes no memory once it is out, where nothing else can look at that memory', async () => {
    const own = Array.from({ length: 8 }, () => Buffer.alloc(65_536, 'x'))
    const part = Buffer.alloc(65_536, 'y').subarray(1)
    await using server = await served(Readable.from([...own, part]))
    const answer = await fetch(server.origin)
    assert.equal((await answer.arrayBuffer()).byteLength, 9 * 65_536 - 1)
    assert.deepEqual(new Set(own.map((piece) => (piece.buffer as ArrayBuffer).detached)), new Set([true]))
    assert.equal(part.toString(), 'y'.repeat(65_535))
  })

  it('has ended already where it has no bytes', async () => {
    const body = Readable.from([])
    await once(body.resume(), 'close')
    await using server = await served(body)
    assert.equal(await (await fetch(server.origin)).text(), '')
  })

  it('breaks the connection where it breaks off, so that a cut file cannot look whole', async () => {
    const body = new PassThrough().once('error', () => {})
    body.write('the beginning')
    await using server = await served(body)
    const answer = await fetch(server.origin)
    body.destroy(new Error('broke off'))
    await assert.rejects(answer.text())
  })

  it('may have broken off before it could be sent', async () => {
    const body = new PassThrough().once('error', () => {})
    body.write('the beginning')
    await new Promise((closed) => body.once('close', closed).destroy(new Error('broke off')))
    await using server = await served(body)
    await assert.rejects(fetch(server.origin))
  })

  it('is read no faster than the caller takes it, and no longer than it is there', async () => {
    const body = endless()
    await using server = await served(body)
    const caller = await stalled(server.port)
    await once(body, 'pause')
    caller.destroy()
    await once(body, 'close')
  })

  it('is given up when the caller takes nothing for too long', async () => {
    const body = endless()
    await using server = await served(body, 50)
    const caller = await stalled(server.port)
    await once(body, 'close')
    caller.destroy()
  })

  it('may be silent for longer than that, for its host has a limit of its own', async () => {
    const body = new PassThrough()
    body.write('first, ')
    await using server = await served(body, 20)
    const answer = await fetch(server.origin)
    await once(await server.begun, 'timeout')
    body.end('then the rest')
    assert.equal(await answer.text(), 'first, then the rest')
  })
})
