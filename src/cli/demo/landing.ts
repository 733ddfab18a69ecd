/** A stand-in for the caller's own program: a page that sends its user to a consent page, and makes a connector of what comes back. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectorType } from '../../catalog/describe.ts'
import { escapeHtml } from '../../simulator/html.ts'

export interface LandingOptions {
  /** Where Conex is. */
  readonly origin: string
  readonly endUser: string
  /** The kinds to offer, each with what its connectors have to be told about their copy. */
  readonly kinds: readonly (Pick<ConnectorType, 'connector_type' | 'title'> & {
    readonly replication_config?: Readonly<Record<string, unknown>> | undefined
  })[]
  /** A fresh bearer token. */
  readonly token: () => Promise<string>
}

export interface Landing {
  readonly origin: string
  close(): Promise<void>
}

export async function startLanding({ origin, endUser, kinds, token }: LandingOptions): Promise<Landing> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => show(response, `<p>${escapeHtml(error.message)}</p>`))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function ask(path: string, body: object): Promise<Record<string, unknown>> {
    const answered = await fetch(origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const told = (await answered.json()) as Record<string, unknown>
    if (!answered.ok) throw new Error(String(told.detail))
    return told
  }

  async function answer({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(url, own)
    const kind = kinds.find(({ connector_type }) => connector_type === searchParams.get('kind'))
    if (kind === undefined || (pathname !== '/connect' && pathname !== '/connected')) return show(response, offer())
    const { connector_type, title, replication_config } = kind
    if (pathname === '/connect') {
      const { consent_url } = await ask('/v1/integrations/connectors/oauth/initiate', {
        external_user_id: endUser,
        connector_type,
        redirect_url: `${own}/connected?kind=${connector_type}`,
      })
      response.writeHead(302, { location: String(consent_url) }).end()
      return
    }
    const secret = searchParams.get('secret_id')
    if (secret === null)
      throw new Error(
        `${title} was not connected: ${searchParams.get('error_description') ?? searchParams.get('error')}`,
      )
    const made = await ask('/v1/integrations/connectors', {
      external_user_id: endUser,
      connector_type,
      name: `From a consent, ${randomUUID().slice(0, 8)}`,
      server_side_oauth_secret_id: secret,
      ...(replication_config && { replication_config }),
    })
    const { status } = await ask(`/v1/integrations/connectors/${made.id}/check`, {})
    show(
      response,
      `<p>${escapeHtml(title)} is connected: <b>${escapeHtml(String(made.id))}</b>, ${escapeHtml(String(status))}.</p>`,
    )
  }

  const offer = (): string =>
    `<ul>${kinds.map(({ connector_type, title }) => `<li><a href="/connect?kind=${connector_type}">Connect ${escapeHtml(title)}</a></li>`).join('')}</ul>`

  return {
    origin: own,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function show(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(
      `<!doctype html><meta charset="utf-8"><title>A program of yours</title><h1>A program of yours</h1>${body}<p><a href="/">Back</a></p>`,
    )
}
