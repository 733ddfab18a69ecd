/** Waits on this machine for a browser to come back from a consent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** As long as a consent can be finished. */
const patience = 10 * 60_000

/** What stands in the query with which the browser came to the address that `begun` was told. */
export async function awaitReturn(
  signal: AbortSignal,
  begun: (address: string) => Promise<void>,
): Promise<URLSearchParams> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const returned = new Promise<URLSearchParams>((resolve) => {
      server.on('request', ({ url = '/' }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
        const expected = pathname === '/connected' && (searchParams.has('secret_id') || searchParams.has('error'))
        response.writeHead(expected ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' })
        response.end(expected ? 'This page can be closed; the terminal has the rest.\n' : 'Nothing is here.\n')
        if (expected) response.once('close', () => resolve(searchParams))
      })
    })
    await begun(`http://127.0.0.1:${(server.address() as AddressInfo).port}/connected`)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const stopped = new Promise<never>((_, reject) => {
      ended.addEventListener('abort', () => reject(new Error('Nobody came back from the page; begin anew.')))
    })
    return await Promise.race([returned, stopped])
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
