/** What an end user allows a program of an agent: codes, tokens, their renewal, and their end. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { createClient, createOrganization, revokeClient } from '../src/service/administer.ts'
import { isFine, isProblem, startHosted } from './hosted.ts'
import { startSigningIn } from './signing-in.ts'

describe('the grant of an agent', async () => {
  const opened: { close(): unknown }[] = []
  const {
    hosted,
    bearer,
    signInCode,
    get,
    post,
    signedIn,
    allow,
    register,
    authorizeAddress,
    authorizationCode,
    redeem,
    refresh,
    listed,
  } = await startSigningIn()
  after(async () => {
    for (const one of opened) await one.close()
    await hosted.close()
  })
  beforeEach(() => hosted.calm())

  it('gives tokens for /mcp alone, for this end user', async () => {
    const client = await register()
    const { body } = await redeem(client, await authorizationCode(client, 'bob'))
    assert.equal(body.token_type, 'Bearer')
    assert.match((await listed(body.access_token!)).text, /no connectors yet/)
    isProblem(await hosted.call('GET', '/v1/integrations/connectors', { token: body.access_token }), 'unauthenticated')
    // Seen at /mcp before or not.
    isProblem(await hosted.call('GET', '/v1/integrations/connectors', { token: body.access_token }), 'unauthenticated')
    const others = await startHosted()
    opened.push(others)
    const foreign = await others.call('POST', '/mcp', { token: body.access_token, body: {} })
    isProblem(foreign, 'unauthenticated')
  })

  it('keeps organizations apart, though their end users have the same name', async () => {
    const { organization_id } = await createOrganization(hosted.server.service, 'others')
    const made = await createClient(hosted.server.service, organization_id, 'first')
    const token = (await hosted.call('POST', '/api/v1/account/applications/token', { body: made })).body.access_token
    const client = await register()
    const { body } = await redeem(client, await authorizationCode(client, 'ann', token))
    assert.match((await listed(body.access_token!)).text, /no connectors yet/)
    // An agent that a client let in goes with it.
    await revokeClient(hosted.server.service, made.client_id)
    assert.equal((await refresh(client, body.refresh_token!)).body.error, 'invalid_grant')
  })

  it('exchanges a code once, for its program, address and verifier; a wrong try uses it up', async () => {
    const client = await register()
    const other = await register()
    for (const [wrong, error] of [
      [{ code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:43210/other' }, 'invalid_grant'],
      [{ client_id: other }, 'invalid_grant'],
    ] as const) {
      const code = await authorizationCode(client)
      assert.deepEqual((await redeem(client, code, wrong)).body.error, error)
      assert.equal((await redeem(client, code)).body.error, 'invalid_grant')
    }
    const code = await authorizationCode(client)
    for (const [wrong, error] of [
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ client_id: 'unknown' }, 'invalid_client'],
      [{ code_verifier: '' }, 'invalid_request'],
    ] as const)
      assert.deepEqual((await redeem(client, code, wrong)).body.error, error)
    const { body: tokens } = await redeem(client, code)
    // A replayed code ends what it gave.
    assert.equal((await redeem(client, code)).body.error, 'invalid_grant')
    assert.equal((await refresh(client, tokens.refresh_token!)).body.error, 'invalid_grant')
  })

  it('lets a code end after a minute', async () => {
    const client = await register()
    const code = await authorizationCode(client)
    hosted.clock.advance(61_000)
    assert.equal((await redeem(client, code)).body.error, 'invalid_grant')
  })

  it('replaces refresh tokens, and ends the grant when one comes a second time', async () => {
    const client = await register()
    const first = (await redeem(client, await authorizationCode(client))).body.refresh_token!
    const second = (await refresh(client, first)).body.refresh_token!
    const third = (await refresh(client, second)).body.refresh_token!
    assert.equal(new Set([first, second, third]).size, 3)
    assert.equal((await refresh(client, first)).body.error, 'invalid_grant')
    assert.equal((await refresh(client, third)).body.error, 'invalid_grant')
    const audit = await hosted.call('GET', '/v1/integrations/audit?event=agent.ended&limit=1', {
      token: await bearer(),
    })
    assert.deepEqual(audit.body.entries[0].details, { reason: 'reused' })
    assert.ok(!audit.text.includes(first.split('.')[0]!))
  })

  it('of several who use one refresh token at once, lets one go on at most', async () => {
    const client = await register()
    const token = (await redeem(client, await authorizationCode(client))).body.refresh_token!
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(client, token)))
    assert.ok(answers.filter(({ status }) => status === 200).length <= 1)
  })

  it('is listed for its end user, and ended by the organization', async () => {
    const client = await register()
    const { body } = await redeem(client, await authorizationCode(client, 'lea'))
    const token = await bearer()
    const agents = '/v1/integrations/end-users/lea/agents'
    const { agents: found } = isFine(await hosted.call('GET', agents, { token }))
    const [{ id, ...about }, ...others] = found
    assert.deepEqual([others, Object.keys(about)], [[], ['name', 'client_id', 'allowed_at', 'expires_at']])
    assert.equal(about.name, 'Test Desk')
    assert.ok(Date.parse(about.expires_at) - Date.parse(about.allowed_at) >= 30 * 24 * 60 * 60_000)
    // Nothing in the list is a secret, or a part of one.
    assert.ok(!body.refresh_token!.split('.').some((part) => JSON.stringify(found).includes(part)))

    isProblem(await hosted.call('DELETE', `/v1/integrations/end-users/ann/agents/${id}`, { token }), 'not_found')
    const ended = await hosted.call('DELETE', `${agents}/${id}`, { token })
    assert.equal(ended.status, 204, ended.text)
    assert.deepEqual(isFine(await hosted.call('GET', agents, { token })).agents, [])
    isProblem(await hosted.call('DELETE', `${agents}/${id}`, { token }), 'not_found')
    assert.equal((await refresh(client, body.refresh_token!)).body.error, 'invalid_grant')
    const audit = await hosted.call('GET', '/v1/integrations/audit?event=agent.ended&external_user_id=lea', { token })
    assert.deepEqual(
      audit.body.entries.map(({ details }: { details: object }) => details),
      [{ reason: 'ended by the organization' }],
    )
  })

  it('is revoked by its own program, and by no other', async () => {
    const [client, other] = [await register(), await register()]
    const { body } = await redeem(client, await authorizationCode(client))
    const revoke = async (form: Record<string, string>) => {
      const answer = await post('/oauth/revoke', form, { accept: 'application/json' })
      const text = await answer.text()
      return [answer.status, text === '' ? null : (JSON.parse(text) as { error: string }).error]
    }
    const token = body.refresh_token!
    assert.deepEqual(await revoke({ token }), [400, 'invalid_request'])
    assert.deepEqual(await revoke({ token, client_id: 'unknown' }), [400, 'invalid_client'])
    assert.deepEqual(await revoke({ token, client_id: other }), [400, 'invalid_grant'])
    const access = { token: body.access_token!, token_type_hint: 'access_token', client_id: client }
    assert.deepEqual(await revoke(access), [400, 'unsupported_token_type'])
    const renewed = await refresh(client, token)
    assert.equal(renewed.status, 200)
    const last = { token: renewed.body.refresh_token!, client_id: client, token_type_hint: 'refresh_token' }
    assert.deepEqual(await revoke(last), [200, null])
    assert.equal((await refresh(client, last.token)).body.error, 'invalid_grant')
    // A token that is not good any more is no error.
    assert.deepEqual(await revoke(last), [200, null])
    assert.deepEqual(await revoke({ token: 'x', client_id: client }), [200, null])
    const metadata = await hosted.call('GET', '/.well-known/oauth-authorization-server')
    assert.equal(metadata.body.revocation_endpoint, `${hosted.server.origin}/oauth/revoke`)
  })

  it('ends with its end user', async () => {
    const client = await register()
    const { body } = await redeem(client, await authorizationCode(client, 'dora'))
    const code = await signInCode('dora')
    await hosted.call('DELETE', '/v1/integrations/end-users/dora', { token: await bearer() })
    assert.equal((await refresh(client, body.refresh_token!)).body.error, 'invalid_grant')
    const request = signedIn(await (await get(authorizeAddress(client))).text())
    assert.equal((await post('/oauth/authorize', { request, decision: 'allow', sign_in_code: code })).status, 422)
  })

  it('takes a sign-in code once, within ten minutes, however it is typed', async () => {
    const client = await register()
    const page = async () => signedIn(await (await get(authorizeAddress(client))).text())
    const code = await signInCode()
    const back = await allow(
      authorizeAddress(client),
      ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}`,
    )
    assert.ok(back.searchParams.has('code'))
    const again = await post('/oauth/authorize', { request: await page(), decision: 'allow', sign_in_code: code })
    assert.equal(again.status, 422)
    assert.match(await again.text(), /aria-invalid="true"[\s\S]*role="alert"[^>]*>This code is not good/)
    const late = await signInCode()
    hosted.clock.advance(10 * 60_000)
    const after = { request: await page(), decision: 'allow', sign_in_code: late }
    assert.equal((await post('/oauth/authorize', after)).status, 422)
    assert.equal((await post('/oauth/authorize', { ...after, sign_in_code: 'AAAA-AAAA-AAAA-AAAA' })).status, 422)
  })
})
