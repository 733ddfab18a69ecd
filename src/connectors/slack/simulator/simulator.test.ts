import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { WebClient } from '@slack/web-api'
import { startSimulators } from '../../../kit/simulator.ts'
import { pressButton } from '../../../simulator/allow.suite.ts'
import { slackSimulator } from './simulator.ts'

const simulators = await startSimulators([slackSimulator], { now: () => 1_800_000_000_000 })
after(() => simulators.close())
const { base_url: baseUrl, credentials, application } = simulators.describe().slack!
const bot = credentials[1]!.access_token!
const user = credentials[0]!.api_token!
const client = application!
const redirect_uri = 'https://conex.example/callback'

const webClient = (token?: string) =>
  new WebClient(token, { slackApiUrl: `${baseUrl}/`, retryConfig: { retries: 0 }, allowAbsoluteUrls: false })

const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { data?: { error?: string } }) => error.data?.error ?? String(error),
  )

async function consent(scope = 'users:read,channels:read'): Promise<string> {
  const params = { client_id: client.client_id, redirect_uri, response_type: 'code', scope, state: 's' }
  return (await pressButton(`${simulators.origin}/slack/oauth/v2/authorize`, params)).get('code')!
}

const change = (name: string, more: object = {}) => simulators.change('slack', { change: name, ...more })

// biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
async function post(method: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<any> {
  const response = await fetch(`${baseUrl}/${method}`, { method: 'POST', body: new URLSearchParams(form), headers })
  assert.equal(response.status, 200)
  return response.json()
}

describe('the official client', () => {
  it('learns who a token belongs to', async () => {
    const asBot = await webClient(bot).auth.test()
    assert.deepEqual(
      [asBot.ok, asBot.team_id, typeof asBot.bot_id],
      [true, simulators.landmarks('slack').team, 'string'],
    )
    assert.ok(asBot.response_metadata?.scopes?.includes('users:read'))
    const asUser = await webClient(user).auth.test()
    assert.deepEqual([asUser.user_id, asUser.bot_id], [simulators.landmarks('slack').user, undefined])
  })

  it('installs an application, and ends its token', async () => {
    const installed = await webClient().oauth.v2.access({ ...client, code: await consent(), redirect_uri })
    assert.deepEqual([installed.token_type, installed.scope], ['bot', 'users:read,channels:read'])
    assert.match(installed.access_token!, /^xoxb-/)
    assert.equal(installed.refresh_token, undefined)
    const own = webClient(installed.access_token)
    assert.equal((await own.auth.test()).ok, true)
    assert.equal((await own.auth.revoke()).ok, true)
    assert.equal(await errorOf(own.auth.test()), 'token_revoked')
  })

  it('rotates tokens: each refresh token is good once, and access tokens end after twelve hours', async () => {
    change('settings', { rotate_tokens: true })
    const first = await webClient().oauth.v2.access({ ...client, code: await consent(), redirect_uri })
    assert.match(first.access_token!, /^xoxe\.xoxb-/)
    assert.equal(first.expires_in, 43_200)
    assert.equal((await webClient(first.access_token).auth.test()).expires_in, 43_200)
    const refresh = (refresh_token: string) =>
      webClient().oauth.v2.access({ ...client, grant_type: 'refresh_token', refresh_token })
    const second = await refresh(first.refresh_token!)
    assert.notEqual(second.access_token, first.access_token)
    assert.equal(await errorOf(refresh(first.refresh_token!)), 'invalid_refresh_token')
    assert.equal((await webClient(first.access_token).auth.test()).ok, true)
    simulators.advance(43_200_000)
    assert.equal(await errorOf(webClient(second.access_token).auth.test()), 'token_expired')
    assert.equal((await refresh(second.refresh_token!)).ok, true)
    change('settings', { rotate_tokens: false })
  })

  it('is told of tokens that are none, and of an application that was taken away', async () => {
    assert.equal(await errorOf(webClient().auth.test()), 'not_authed')
    assert.equal(await errorOf(webClient('xoxb-unknown').auth.test()), 'invalid_auth')
    change('remove_application')
    assert.equal(await errorOf(webClient(bot).auth.test()), 'account_inactive')
    change('remove_application', { removed: false })
    assert.equal((await webClient(bot).auth.test()).ok, true)
  })

  it('is told of a method that there is not', async () => {
    assert.equal(await errorOf(webClient(bot).apiCall('no.such')), 'unknown_method')
  })
})

describe('the token endpoint', () => {
  const access = (form: Record<string, string>, pair = client) =>
    post('oauth.v2.access', form, {
      authorization: `Basic ${Buffer.from(`${pair.client_id}:${pair.client_secret}`).toString('base64')}`,
    })

  it('takes the application by HTTP Basic or in the form, and refuses under status 200', async () => {
    assert.equal((await access({ code: await consent(), redirect_uri })).ok, true)
    assert.equal((await access({}, { ...client, client_id: 'x' })).error, 'invalid_client_id')
    assert.equal((await access({}, { ...client, client_secret: 'x' })).error, 'bad_client_secret')
    assert.equal((await post('oauth.v2.access', {})).error, 'invalid_client_id')
    assert.equal((await access({ grant_type: 'password' })).error, 'invalid_grant_type')
  })

  it('takes a code once, for ten minutes, with the address it was asked for with', async () => {
    const code = await consent()
    assert.equal((await access({ code, redirect_uri })).ok, true)
    assert.equal((await access({ code, redirect_uri })).error, 'invalid_code')
    assert.equal(
      (await access({ code: await consent(), redirect_uri: 'https://other.example/' })).error,
      'bad_redirect_uri',
    )
    const late = await consent()
    simulators.advance(600_001)
    assert.equal((await access({ code: late, redirect_uri })).error, 'invalid_code')
    assert.equal((await access({ code: await consent(''), redirect_uri })).error, 'no_scopes')
    const proof = { code: await consent(), redirect_uri, code_verifier: 'v' }
    assert.equal((await access(proof)).error, 'pkce_not_allowed')
  })
})

it('a token goes in the header or a form, never in the query', async () => {
  assert.equal((await post('auth.test', { token: bot })).ok, true)
  const inQuery = await (await fetch(`${baseUrl}/auth.test?token=${bot}`)).json()
  assert.equal((inQuery as { error: string }).error, 'not_authed')
})

it('all tokens can be revoked at once', async () => {
  const fresh = await startSimulators([slackSimulator])
  const { access_token } = fresh.describe().slack!.credentials[1]!
  fresh.change('slack', { change: 'revoke_tokens' })
  const answer = await fetch(`${fresh.describe().slack!.base_url}/auth.test`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  assert.equal(((await answer.json()) as { error: string }).error, 'token_revoked')
  assert.throws(() => fresh.change('slack', { change: 'nothing' }), /There is no change/)
  await fresh.close()
})
