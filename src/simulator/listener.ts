/** An HTTP listener that counts its connections, so that a test can see a read stop. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Listener {
  readonly origin: string
  openSockets(): number
  /** Bytes sent since the start, including those on closed connections. */
  bytesSent(): number
  /** Answers that have begun and neither ended nor been cut off. */
  running(): number
  close(): Promise<void>
}

export type Receive = (request: IncomingMessage, response: ServerResponse) => void

export async function listen(receive: Receive, host: string, port: number): Promise<Listener> {
  const sockets = new Set<Socket>()
  let sentBefore = 0
  let running = 0
  const server: Server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    running += 1
    response.once('close', () => {
      running -= 1
    })
    receive(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      sentBefore += socket.bytesWritten
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    origin: `http://${name}:${address.port}`,
    openSockets: () => sockets.size,
    running: () => running,
    bytesSent: () => {
      let sent = sentBefore
      for (const socket of sockets) sent += socket.bytesWritten
      return sent
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
        sockets.clear()
      }),
  }
}
