/** Waits on this machine for a browser to return from a consent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { html } from '../../server/html.ts'
import { card, cardHeaders } from '../../server/page.ts'

/** The time in which a consent can be finished. */
const patience = 10 * 60_000

/** The query with which the browser returned to the address that `begun` received. */
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
        response.writeHead(expected ? 200 : 404, cardHeaders).end(page(expected, searchParams.has('secret_id')))
        if (expected) response.once('close', () => resolve(searchParams))
      })
    })
    await begun(`http://127.0.0.1:${(server.address() as AddressInfo).port}/connected`)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const stopped = new Promise<never>((_, reject) => {
      ended.addEventListener('abort', () =>
        reject(new Error('No browser returned from the consent page; start again.')),
      )
    })
    return await Promise.race([returned, stopped])
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function page(expected: boolean, given: boolean): string {
  if (!expected) return card({ from: 'Conex', title: 'Nothing is here', body: html`<p>Continue in the terminal.</p>` })
  const title = given ? 'Your account can be connected' : 'Your account was not connected'
  const body = html`<p>This page can be closed; the terminal has the rest.</p>`
  return card({ from: 'Conex', title, mark: given ? 'done' : 'failed', body })
}
