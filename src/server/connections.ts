/** Knows which connections are answering a request, so that a stopping server can close all others at once. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export class Connections {
  /** Requests being answered, by connection. */
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

  /** Takes note of a request. False when the server is stopping: then the request is not to be answered. */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const before = this.#running.get(socket) ?? 0
    if (this.#stopping) {
      // A request that came behind one still being answered goes down with the connection when that one is done.
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

  /** From now on no connection outlives the requests that run on it. */
  stop(): void {
    this.#stopping = true
    for (const [socket, running] of this.#running) if (running === 0) socket.destroy()
  }

  /** Cuts what is left. */
  cut(): void {
    for (const socket of this.#running.keys()) socket.destroy()
  }
}
