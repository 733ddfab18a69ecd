/** Tracks the connections that are answering a request, so that a stopping server can close all others at once. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export class Connections {
  /** The requests that are being answered, by connection. */
  readonly #running = new Map<Socket, number>()
  #stopping = false

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if (this.#stopping) {
        socket.destroy()
        return
      }
      this.#running.set(socket, 0)
      socket.once('close', () => this.#running.delete(socket))
    })
  }

  /** Registers a request. Returns false if the server is stopping and must not answer it. */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const before = this.#running.get(socket) ?? 0
    if (this.#stopping) {
      // A request that waits behind another on the same connection is closed together with it.
      if (before === 0) socket.destroy()
      return false
    }
    this.#running.set(socket, before + 1)
    response.on('close', () => {
      const left = (this.#running.get(socket) ?? 1) - 1
      if (socket.destroyed) return
      this.#running.set(socket, left)
      if (this.#stopping && left === 0) socket.end()
    })
    return true
  }

  /** From now on, a connection closes as soon as its running requests are answered. */
  stop(): void {
    this.#stopping = true
    for (const [socket, running] of this.#running) if (running === 0) socket.destroy()
  }

  /** Closes all remaining connections. */
  cut(): void {
    for (const socket of this.#running.keys()) socket.destroy()
  }
}
