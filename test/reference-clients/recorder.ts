/** Stands between a client and the server, and keeps what they say to each other. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type SentRequest, send, type WireAnswer } from './requests.ts'

export interface Exchange {
  readonly request: SentRequest
  readonly answer: WireAnswer
}

export interface Recorder {
  readonly origin: string
  close(): void
}

/** `hear` is told each exchange before the client gets the answer. */
export async function startRecorder(server: string, hear: (exchange: Exchange) => Promise<void>): Promise<Recorder> {
  const proxy = createServer(async (incoming, outgoing) => {
    const body = await text(incoming)
    const request = {
      method: incoming.method!,
      path: incoming.url!,
      headers: ownHeaders(incoming.headers),
      ...(body !== '' && { body: JSON.parse(body) }),
    }
    const answer = await send(server, request)
    await hear({ request, answer })
    const told = [...answer.headers].filter(([name]) => !ofConnection.has(name))
    outgoing.writeHead(answer.status, Object.fromEntries(told)).end(answer.bytes)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => proxy.close() }
}

const ofConnection: ReadonlySet<string> = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Without what every HTTP library adds. */
function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const usual = new Set(['host', 'accept', 'accept-encoding', 'content-type', 'user-agent', ...ofConnection])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !usual.has(name))) as Record<string, string>
}
