import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client } from '@hubspot/api-client'
import { startSimulators } from '../../../kit/simulator.ts'
import { pressButton } from '../../../simulator/allow.suite.ts'
import { hubspotSimulator } from './simulator.ts'

const simulators = await startSimulators([hubspotSimulator])
after(() => simulators.close())
const { base_url: baseUrl, credentials, application } = simulators.describe().hubspot!
const { refresh_token, access_token } = credentials[0] as { refresh_token: string; access_token: string }
const client = application!
const redirect_uri = 'https://conex.example/callback'

const sdk = (accessToken?: string) =>
  new Client({ basePath: baseUrl, numberOfApiCallRetries: 0, ...(accessToken && { accessToken }) })
const { oauth } = sdk()

async function consent(more: Record<string, string> = {}): Promise<string> {
  const params = {
    client_id: client.client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'oauth',
    state: 's',
    ...more,
  }
  return (await pressButton(`${baseUrl}/oauth/authorize`, params)).get('code')!
}

const refreshBySdk = (token: string) =>
  oauth.tokensApi.create('refresh_token', undefined, undefined, client.client_id, client.client_secret, token)

const statusOf = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: { code?: number }) => error.code ?? -1,
  )

const change = (name: string, more: object = {}) => simulators.change('hubspot', { change: name, ...more })

describe('the official client', () => {
  it('exchanges a code, refreshes, and reads what tokens stand for', async () => {
    change('plan', { is: 'professional' })
    const code = await consent({ optional_scope: 'tickets crm.objects.custom.read' })
    const given = await oauth.tokensApi.create(
      'authorization_code',
      code,
      redirect_uri,
      client.client_id,
      client.client_secret,
    )
    assert.equal(given.expiresIn, 1800)
    const again = await refreshBySdk(given.refreshToken)
    assert.equal(again.refreshToken, given.refreshToken)
    assert.notEqual(again.accessToken, given.accessToken)
    const about = await oauth.accessTokensApi.get(again.accessToken)
    assert.equal(String(about.hubId), simulators.landmarks('hubspot').portal)
    // What is beyond the account's plan is not granted.
    assert.deepEqual(about.scopes, ['oauth', 'tickets'])
    assert.equal((await oauth.refreshTokensApi.get(given.refreshToken)).hubId, about.hubId)
  })

  it('reads the account, until its token has worn out', async () => {
    const details = await (await sdk(access_token).apiRequest({ path: '/account-info/v3/details' })).json()
    assert.equal(String(details.portalId), simulators.landmarks('hubspot').portal)
    simulators.advance(1_800_000)
    const late = await sdk(access_token).apiRequest({ path: '/account-info/v3/details' })
    assert.equal(late.status, 401)
    const { category, context } = await late.json()
    assert.equal(category, 'EXPIRED_AUTHENTICATION')
    assert.ok(context['expire time'][0])
    const { accessToken } = await refreshBySdk(refresh_token)
    assert.equal((await sdk(accessToken).apiRequest({ path: '/account-info/v3/details' })).status, 200)
  })

  it('ends a refresh token, while access tokens made with it go on', async () => {
    const code = await consent()
    const { client_id, client_secret } = client
    const given = await oauth.tokensApi.create('authorization_code', code, redirect_uri, client_id, client_secret)
    await oauth.refreshTokensApi.archive(given.refreshToken)
    assert.equal(await statusOf(oauth.refreshTokensApi.get(given.refreshToken)), 404)
    assert.equal(await statusOf(refreshBySdk(given.refreshToken)), 400)
    assert.equal(await statusOf(oauth.accessTokensApi.get(given.accessToken)), 200)
  })

  it('builds the address of the consent page with the same parameters', async () => {
    const built = new URL(oauth.getAuthorizationUrl(client.client_id, redirect_uri, 'oauth', 'tickets', 'mine'))
    const page = await fetch(`${baseUrl}${built.pathname}${built.search}&response_type=code`)
    const html = await page.text()
    for (const part of ['<li>oauth</li>', '<li>tickets</li>', 'value="mine"']) assert.ok(html.includes(part), part)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
async function post(path: string, form: Record<string, string>, query = ''): Promise<{ status: number; body: any }> {
  const response = await fetch(`${baseUrl}/oauth/${path}${query}`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

for (const version of ['v1', 'v3', '2026-03']) {
  describe(`the token endpoint of version ${version}`, () => {
    const token = (form: Record<string, string>) => post(`${version}/token`, { ...client, ...form })
    const refresh = { grant_type: 'refresh_token', refresh_token }

    it('refreshes, and tells more from version 3 on', async () => {
      const { status, body } = await token(refresh)
      assert.equal(status, 200)
      const more = version === 'v1' ? [] : ['hub_id', 'user_id', 'scopes', 'token_use']
      assert.deepEqual(Object.keys(body), ['token_type', 'access_token', 'refresh_token', 'expires_in', ...more])
    })

    it('refuses with the older status beside the standard’s code', async () => {
      for (const [form, status, error] of [
        [{ ...refresh, refresh_token: 'x' }, 'BAD_REFRESH_TOKEN', 'invalid_grant'],
        [{ ...refresh, client_id: 'x' }, 'BAD_CLIENT_ID', 'invalid_client'],
        [{ ...refresh, client_secret: 'x' }, 'BAD_CLIENT_SECRET', 'invalid_client'],
        [{ refresh_token }, 'BAD_GRANT_TYPE', 'unsupported_grant_type'],
        [{ grant_type: 'authorization_code', code: 'x', redirect_uri }, 'BAD_AUTH_CODE', 'invalid_grant'],
        [
          { grant_type: 'authorization_code', code: await consent(), redirect_uri: 'https://other.example/' },
          'BAD_REDIRECT_URI',
          'invalid_request',
        ],
      ] as const) {
        const answer = await token(form)
        assert.deepEqual([answer.status, answer.body.status, answer.body.error], [400, status, error])
      }
    })

    it('takes parameters in the query in version 1 alone', async () => {
      const query = `?${new URLSearchParams({ ...client, ...refresh })}`
      const { status } = await post(`${version}/token`, {}, query)
      assert.equal(status, version === 'v1' ? 200 : 400)
    })

    it('inspects and revokes in its own way', async () => {
      const { body } = await token({ grant_type: 'authorization_code', code: await consent(), redirect_uri })
      const introspect = async (one: string) =>
        (await post(`${version}/token/introspect`, { ...client, token: one, token_type_hint: 'access_token' })).body
      if (version === 'v1') {
        const answer = await fetch(`${baseUrl}/oauth/v1/access-tokens/${body.access_token}`)
        assert.equal(((await answer.json()) as { user: string }).user, 'ana@northwind.example')
        assert.equal((await post('v1/token/introspect', { ...client }).catch(() => ({ status: 404 }))).status, 404)
        return
      }
      assert.deepEqual(
        [(await introspect(body.access_token)).active, (await introspect('unknown')).active],
        [true, false],
      )
      assert.equal((await post(`${version}/token/revoke`, { ...client, token: body.refresh_token })).status, 200)
      const again = await token({ ...refresh, refresh_token: body.refresh_token })
      assert.equal(again.body.status, 'BAD_REFRESH_TOKEN')
      assert.equal((await introspect(body.access_token)).active, true)
    })
  })
}

describe('on demand', () => {
  const refresh = async () =>
    (await post('2026-03/token', { ...client, grant_type: 'refresh_token', refresh_token })).body

  it('the application is uninstalled, or the account is gone', async () => {
    change('hub', { is: 'uninstalled' })
    assert.equal((await refresh()).status, 'BAD_REFRESH_TOKEN')
    change('hub', { is: 'deleted' })
    assert.deepEqual([(await refresh()).status, (await refresh()).error], ['BAD_HUB', 'access_denied'])
    change('hub', { is: 'installed' })
    assert.ok((await refresh()).access_token)
    assert.throws(() => change('hub', { is: 'lost' }), /installed, uninstalled or deleted/)
  })

  it('access tokens end at once, and refresh tokens rotate', async () => {
    const { access_token: token } = await refresh()
    change('expire_access_tokens')
    assert.equal((await sdk(token).apiRequest({ path: '/account-info/v3/details' })).status, 401)
    change('settings', { rotate_refresh_tokens: true })
    const rotated = await refresh()
    assert.notEqual(rotated.refresh_token, refresh_token)
    assert.equal((await refresh()).status, 'BAD_REFRESH_TOKEN')
    assert.throws(() => change('nothing'), /There is no change/)
  })

  it('a scope beyond the account’s plan stops the page when it is required', async () => {
    change('plan', { is: 'professional' })
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'oauth crm.objects.custom.read',
    })
    const answer = await fetch(`${baseUrl}/oauth/authorize?${query}`, { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [400, null])
  })
})
