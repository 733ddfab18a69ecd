/** For the engine's tests: a third-party system on a real socket whose answers a test writes down. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Credentials } from '../catalog/authorization.ts'
import type { CredentialSource } from './call/call.ts'
import type { Clock } from './settings.ts'

export interface ScriptedSystem {
  readonly origin: string
  /** What was asked, in order: method, path with query, headers and body. */
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  close(): Promise<void>
}

/** Answers one request; `turn` counts from 0. */
export type Script = (
  turn: number,
  request: { url: string; headers: IncomingMessage['headers']; body: string },
  response: ServerResponse,
) => void

/** Starts a system that answers by the script. */
export async function startScriptedSystem(script: Script): Promise<ScriptedSystem> {
  const requests: ScriptedSystem['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const turn = requests.length
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      script(turn, { url: request.url!, headers: request.headers, body }, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers JSON text with a status. */
export function answerJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A clock whose sleeps take no time and are remembered. */
export function patientClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = []
  let now = Date.UTC(2026, 0, 5, 9, 0, 0)
  return {
    slept,
    now: () => now,
    async sleep(milliseconds) {
      slept.push(milliseconds)
      now += milliseconds
    },
  }
}

/** Credentials that stay what they are. */
export const fixedCredentials = (credentials: Credentials): CredentialSource => ({
  current: async () => credentials,
  renew: async () => null,
})
