/** Programs of agents that sign in at Conex, for tests: a server, what the programs send, and what a person does in a browser. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { type Hosted, type HostedOptions, startHosted } from './hosted.ts'

/** Where the browser of the person returns to. */
export const returnsTo = 'http://127.0.0.1:43210/callback'

export async function startSigningIn(options: Pick<HostedOptions, 'serve'> = {}) {
  const hosted: Hosted = await startHosted({ settings: { tokenRateLimitPerMinute: 0 }, ...options })
  /** A new token of the organization, because tests put the clock forward. */
  const bearer = async (): Promise<string> => (await hosted.server.issueToken()).token

  const at = (path: string): string => hosted.server.origin + path

  async function signInCode(user = 'ann', by?: string): Promise<string> {
    const token = by ?? (await bearer())
    const made = await hosted.call('POST', `/v1/integrations/end-users/${user}/sign-in-codes`, { token, body: {} })
    assert.equal(made.status, 200, made.text)
    return made.body.sign_in_code
  }

  const get = (address: string | URL) => fetch(address, { redirect: 'manual', headers: { accept: 'text/html' } })
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(at(path), {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers },
      body: new URLSearchParams(form),
    })

  const signedIn = (page: string): string => /name="request" value="([^"]+)"/.exec(page)![1]!

  /** What a person does: opens the page, types the code, allows. */
  async function allow(address: URL, code: string): Promise<URL> {
    const page = await get(address)
    assert.equal(page.status, 200, await page.clone().text())
    const request = signedIn(await page.text())
    const decided = await post('/oauth/authorize', { request, decision: 'allow', sign_in_code: code })
    assert.equal(decided.status, 303, await decided.clone().text())
    return new URL(decided.headers.get('location')!)
  }

  async function register(redirect_uris: readonly string[] = [returnsTo]): Promise<string> {
    const registered = await hosted.call('POST', '/oauth/register', {
      body: { client_name: 'Test Desk', redirect_uris },
    })
    assert.equal(registered.status, 201, registered.text)
    return registered.body.client_id
  }

  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')

  const authorizeAddress = (client_id: string, changes: Record<string, string | undefined> = {}): URL => {
    const asked = {
      response_type: 'code',
      client_id,
      redirect_uri: returnsTo,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'xyz',
      resource: at('/mcp'),
      ...changes,
    }
    const url = new URL(at('/oauth/authorize'))
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value)
    return url
  }

  async function authorizationCode(client_id: string, user = 'ann', by?: string): Promise<string> {
    const back = await allow(authorizeAddress(client_id), await signInCode(user, by))
    return back.searchParams.get('code')!
  }

  async function exchange(form: Record<string, string>) {
    const answered = await post('/oauth/token', form, { accept: 'application/json' })
    return { status: answered.status, body: (await answered.json()) as Record<string, string> }
  }
  const redeem = (client_id: string, code: string, changes: Record<string, string> = {}) =>
    exchange({
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: verifier,
      redirect_uri: returnsTo,
      ...changes,
    })
  const refresh = (client_id: string, refresh_token: string) =>
    exchange({ grant_type: 'refresh_token', client_id, refresh_token })

  const listed = (token: string) =>
    hosted.call('POST', '/mcp', {
      token,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_connectors', arguments: {} } },
    })

  return {
    hosted,
    bearer,
    at,
    signInCode,
    get,
    post,
    signedIn,
    allow,
    register,
    authorizeAddress,
    authorizationCode,
    exchange,
    redeem,
    refresh,
    listed,
  }
}
