/** A receiver of webhooks: a real HTTP server that records what comes and answers as the test says. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }
}

export interface Receiver {
  readonly url: string
  /** All that came, also what was not answered well. */
  readonly received: Received[]
  /** How it answers: a status, nothing at all, or in a way of its own. */
  answer: number | 'nothing' | ((received: Received, response: ServerResponse) => void)
  /** What the receiver's own library says: throws unless the signature is good. */
  verify(received: Received, secret: string): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const received: Received = { headers: request.headers, body, event: JSON.parse(body) }
      receiver.received.push(received)
      const { answer } = receiver
      if (typeof answer === 'function') answer(received, response)
      else if (answer !== 'nothing') response.writeHead(answer, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received: [],
    answer: 204,
    verify({ headers, body }, secret) {
      assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), JSON.parse(body))
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return receiver
}
