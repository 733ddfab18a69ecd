/** Consents for tests: what a program, an end user and their browser do, without the browser. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Answer, connectors, type Hosted, isFine } from './hosted.ts'

export const initiatePath = `${connectors}/oauth/initiate`
export const callbackPath = `${connectors}/oauth/callback`

export interface Begin {
  readonly connector_type: string
  readonly external_user_id?: string
  readonly redirect_url?: string
  readonly connector_id?: string
}

export const appUrl = 'https://app.example/connected?from=settings'

/** Every kind that has a consent page, with what creating its connectors needs beside the secret_id. */
export const consentKinds: Readonly<Record<string, object>> = {
  slack: { replication_config: { start_date: '2025-01-01T00:00:00Z', lookback_window: 7, join_channels: false } },
  hubspot: {},
  gong: {},
  'facebook-marketing': {},
  asana: {},
}

export interface Consenting {
  readonly bearer: string
  begin(asked: Begin, token?: string): Promise<Answer>
  /** The address of the consent page. */
  consentUrl(asked: Begin): Promise<string>
  /** What the page answers when a button is pressed: the address that it sends the browser to. */
  press(consentUrl: string, button: 'allow' | 'deny'): Promise<URL>
  /** Visits the callback as the browser would; the answer is not followed. */
  visit(address: URL | string): Promise<Answer>
  /** The address of the program's own page that a whole consent ends at. */
  consent(asked: Begin): Promise<URL>
  /** The secret_id of a whole consent. */
  secretId(asked: Begin): Promise<string>
  create(asked: object, on?: { token?: string; headers?: Record<string, string> }): Promise<Answer>
}

export async function startConsenting(hosted: Hosted): Promise<Consenting> {
  const { token: bearer } = await hosted.server.issueToken()
  const self: Consenting = {
    bearer,

    begin: (asked, token = bearer) =>
      hosted.call('POST', initiatePath, {
        token,
        body: { external_user_id: 'ann', redirect_url: appUrl, ...asked },
      }),

    consentUrl: async (asked) => isFine(await self.begin(asked)).consent_url,

    async press(consentUrl, button) {
      const page = await fetch(consentUrl, { redirect: 'manual' })
      const html = await page.text()
      assert.equal(page.status, 200, html)
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
      const form = new URLSearchParams(hidden.map(([, name, value]): [string, string] => [plain(name!), plain(value!)]))
      form.set('decision', button)
      const action = new URL(consentUrl)
      action.search = ''
      const pressed = await fetch(action, { method: 'POST', body: form, redirect: 'manual' })
      assert.equal(pressed.status, 302)
      return new URL(pressed.headers.get('location')!)
    },

    async visit(address) {
      const url = new URL(address)
      assert.equal(url.origin, hosted.server.origin)
      const response = await fetch(url, { redirect: 'manual' })
      const text = await response.text()
      const body = text === '' ? undefined : JSON.parse(text)
      return { status: response.status, headers: response.headers, text, body }
    },

    async consent(asked) {
      const callback = await self.press(await self.consentUrl(asked), 'allow')
      const answer = await self.visit(callback)
      assert.equal(answer.status, 302, answer.text)
      return new URL(answer.headers.get('location')!)
    },

    async secretId(asked) {
      const end = await self.consent(asked)
      const secret = end.searchParams.get('secret_id')
      assert.ok(secret, end.href)
      return secret
    },

    create: (asked, { token = bearer, headers = {} } = {}) =>
      hosted.call('POST', connectors, {
        token,
        headers,
        body: { external_user_id: 'ann', name: randomUUID(), ...asked },
      }),
  }
  return self
}

const plain = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
