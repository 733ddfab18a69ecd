import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { simulators, oauth, get, change } = await startReading()
const root = `${simulators.origin}/asana/-`
const client = { client_id: oauth.client_id!, client_secret: oauth.client_secret! }

async function post(path: string, form: Record<string, string>) {
  const response = await fetch(`${root}/${path}`, { method: 'POST', body: new URLSearchParams({ ...client, ...form }) })
  // biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
  return { status: response.status, body: (await response.json()) as any }
}
/** Where the browser goes after a button of the consent page. */
async function decide(decision: 'allow' | 'deny', query: URLSearchParams): Promise<URL> {
  const page = await fetch(`${root}/oauth_authorize?${query}`, { redirect: 'manual' })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type')!, /^text\/html/)
  const body = new URLSearchParams([...query, ['decision', decision]])
  const pressed = await fetch(`${root}/oauth_authorize`, { method: 'POST', body, redirect: 'manual' })
  assert.equal(pressed.status, 302)
  return new URL(pressed.headers.get('location')!)
}
const refresh = (refresh_token: string) => post('oauth_token', { grant_type: 'refresh_token', refresh_token })

test('a refresh gives an access token for an hour, and no refresh token', async () => {
  const { status, body } = await refresh(oauth.refresh_token!)
  assert.equal(status, 200)
  assert.equal(body.token_type, 'bearer')
  assert.equal(body.expires_in, 3600)
  assert.ok(!('refresh_token' in body))
  assert.equal((await get('/users/me', body.access_token)).body.data.gid, body.data.gid)
  simulators.advance(3_600_000)
  assert.equal((await get('/users/me', body.access_token)).status, 401)
  assert.equal((await refresh(oauth.refresh_token!)).status, 200)
})

test('an unknown refresh token, a wrong client and a missing grant type are refused in the form of OAuth', async () => {
  const { status, body } = await refresh('unknown')
  assert.equal(status, 400)
  assert.equal(body.error, 'invalid_grant')
  assert.equal(body.error_description, 'The `refresh_token` provided was invalid.')
  assert.equal(
    (await post('oauth_token', { client_secret: 'wrong', grant_type: 'refresh_token' })).body.error,
    'invalid_client',
  )
  assert.equal((await post('oauth_token', { refresh_token: oauth.refresh_token! })).status, 400)
})

test('the token address answers only POST', async () => {
  assert.equal((await fetch(`${root}/oauth_token`)).status, 404)
})

test('a code is good once, and only with the proof that was announced', async () => {
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const redirect_uri = 'http://127.0.0.1:5173/cb?x=1'
  const code = async () => {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri,
      response_type: 'code',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const back = await decide('allow', query)
    assert.equal(back.searchParams.get('state'), 's')
    assert.equal(back.searchParams.get('x'), '1')
    return back.searchParams.get('code')!
  }
  const exchange = (given: string, code_verifier: string) =>
    post('oauth_token', { grant_type: 'authorization_code', code: given, redirect_uri, code_verifier })
  assert.equal((await exchange(await code(), 'wrong')).body.error, 'invalid_grant')
  const good = await code()
  const { body } = await exchange(good, verifier)
  assert.ok(body.refresh_token)
  assert.equal((await get('/users/me', body.access_token)).status, 200)
  assert.equal((await exchange(good, verifier)).status, 400)
})

test('a person who refuses comes back with the error', async () => {
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: 'http://127.0.0.1/cb',
    response_type: 'code',
  })
  const back = await decide('deny', query)
  assert.equal(back.searchParams.get('error'), 'access_denied')
  assert.equal((await fetch(`${root}/oauth_authorize?client_id=x`, { redirect: 'manual' })).status, 400)
})

test('refresh tokens can rotate: the old one ends', async () => {
  change('settings', { rotate_refresh_tokens: true })
  const { body } = await refresh(oauth.refresh_token!)
  assert.ok(body.refresh_token)
  assert.equal((await refresh(oauth.refresh_token!)).body.error, 'invalid_grant')
  assert.equal((await refresh(body.refresh_token)).status, 200)
  change('settings', { rotate_refresh_tokens: false })
})

test('all access tokens can be ended at once', async () => {
  const fresh = await startReading()
  fresh.change('expire_access_tokens')
  assert.match(await fresh.refusal('/users/me', fresh.token.oauth), /^401 The bearer token has expired/)
})

test('revoking ends the grant with its access tokens; access tokens cannot be revoked', async () => {
  const fresh = await startReading()
  const revoke = async (given: string) => {
    const body = new URLSearchParams({
      client_id: fresh.oauth.client_id!,
      client_secret: fresh.oauth.client_secret!,
      token: given,
    })
    return (await fetch(`${fresh.simulators.origin}/asana/-/oauth_revoke`, { method: 'POST', body })).status
  }
  assert.equal(await revoke(fresh.token.oauth), 400)
  assert.equal(await revoke('unknown'), 200)
  assert.equal(await revoke(fresh.oauth.refresh_token!), 200)
  assert.equal(await fresh.refusal('/users/me', fresh.token.oauth), '401 Not Authorized')
})

test('a fault at the token address speaks the language of OAuth', async () => {
  simulators.faults.add({ path: '/-/oauth_token', effect: { type: 'status', status: 401 } })
  const { status, body } = await refresh('any')
  assert.equal(status, 401)
  assert.equal(body.error, 'invalid_grant')
})
