/**
 * Plays the caller's own program: a page that sends its user to a consent page, and creates a connector from the
 * result.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectorType } from '../../catalog/describe.ts'
import { type Html, html } from '../../server/html.ts'
import { type Card, card, cardHeaders } from '../../server/page.ts'

export interface LandingOptions {
  /** The address of Conex. */
  readonly origin: string
  readonly endUser: string
  /** The kinds to offer, each with the settings that its copies need. */
  readonly kinds: readonly (Pick<ConnectorType, 'connector_type' | 'title'> & {
    readonly replication_config?: Readonly<Record<string, unknown>> | undefined
  })[]
  /** Returns a new bearer token. */
  readonly token: () => Promise<string>
}

export interface Landing {
  readonly origin: string
  close(): Promise<void>
}

export async function startLanding({ origin, endUser, kinds, token }: LandingOptions): Promise<Landing> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) =>
      show(response, { title: 'That did not work', mark: 'failed', body: html`<p>${error.message}</p>${back}` }),
    )
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
    if (kind === undefined || (pathname !== '/connect' && pathname !== '/connected')) return show(response, offer)
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
    if (secret === null) {
      const reason = searchParams.get('error_description') ?? `The answer was ${searchParams.get('error') ?? 'empty'}.`
      return show(response, {
        title: `${title} was not connected`,
        mark: 'failed',
        body: html`<p>${reason}</p>${back}`,
      })
    }
    const made = await ask('/v1/integrations/connectors', {
      external_user_id: endUser,
      connector_type,
      name: `From a consent, ${randomUUID().slice(0, 8)}`,
      server_side_oauth_secret_id: secret,
      ...(replication_config && { replication_config }),
    })
    const { status } = await ask(`/v1/integrations/connectors/${made.id}/check`, {})
    show(response, {
      title: `${title} is connected`,
      mark: 'done',
      body: html`<dl><dt>connector</dt><dd><code>${String(made.id)}</code></dd><dt>check</dt><dd>${String(status)}</dd></dl>${back}`,
    })
  }

  const offer: Shown = {
    title: 'Connect an account',
    body: html`<p>Each button leads to the consent page of a simulated system and back, with a new connector.</p>
<ul>${kinds.map(({ connector_type, title }) => html`<li><a class="button" href="/connect?kind=${connector_type}">Connect ${title}</a></li>`)}</ul>`,
  }

  return {
    origin: own,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Shown = Omit<Card, 'from'>

const back: Html = html`<p><a href="/">Back to the accounts</a></p>`

function show(response: ServerResponse, shown: Shown): void {
  response.writeHead(200, cardHeaders).end(card({ from: 'A program of yours', ...shown }))
}
