import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { authMethod, type Credentials, type RefreshableStyle } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { optional, text } from '../../catalog/fields.ts'
import { renewedAt } from '../../catalog/oauth.ts'
import type { ConexError, ErrorCode } from '../../errors.ts'
import { refusal, scriptedEngine, tokenMethod } from '../scripted-engine.suite.ts'
import { answerJson, type Script } from '../scripted-system.suite.ts'
import type { EngineSettings } from '../settings.ts'
import { expiryField } from './authorize.ts'
import { systemAddress } from './token-endpoint.ts'

const style = (clientAuthentication: RefreshableStyle['clientAuthentication']): RefreshableStyle =>
  renewedAt({
    tokenAddress: { url: 'https://bank.example/oauth/token', relativeToBase: '../../oauth/token' },
    clientAuthentication,
  })

const bank = (clientAuthentication: RefreshableStyle['clientAuthentication'] = 'body') =>
  connector({
    kind: 'bank',
    definitionId: '00000000-0000-7000-8000-000000000003',
    title: 'Bank',
    baseUrl: 'https://bank.example/api/v1',
    authMethods: [
      authMethod({
        name: 'oauth',
        title: 'OAuth',
        credentials: {
          refresh_token: text(),
          access_token: optional(text()),
          client_id: optional(text()),
          client_secret: optional(text()),
        },
        authorization: style(clientAuthentication),
      }),
      tokenMethod,
    ],
    replicationConfig: null,
    check: { entity: 'accounts', action: 'list', params: {} },
    readRefusal: () => null,
    entities: {},
  })

const old: Credentials = {
  refresh_token: 'refresh/secret+1',
  access_token: 'access-secret-1',
  client_id: 'app one',
  client_secret: 'app&secret=one',
  [expiryField]: '1',
}

async function given(script: Script, settings: Partial<EngineSettings> = {}) {
  const { system, clock, engine } = await scriptedEngine(script, settings)
  const renew = (credentials = old, kind = bank()) =>
    engine.renewCredentials(kind, `${system.origin}/api/v1`, credentials)
  return { system, clock, renew }
}

/** The error that a renewal ends with; no part of it may hold a secret. */
async function refused(
  promise: Promise<unknown>,
  code: ErrorCode,
  secrets: readonly string[] = [],
): Promise<ConexError> {
  const error = await refusal(promise, code)
  const told = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
  for (const secret of [old.refresh_token!, old.access_token!, old.client_secret!, ...secrets])
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      assert.ok(!told.includes(form), told)
  return error
}

describe('credentials are renewed', () => {
  it('with the application in the form', async () => {
    const { system, clock, renew } = await given((_, __, response) =>
      answerJson(response, { access_token: 'new', expires_in: 3600, token_type: 'bearer' }),
    )
    assert.deepEqual(await renew(), {
      ...old,
      access_token: 'new',
      [expiryField]: String(clock.now() + 3_600_000),
    })
    const [request] = system.requests
    assert.deepEqual([request!.method, request!.url], ['POST', '/oauth/token'])
    assert.equal(request!.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(request!.headers.authorization, undefined)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
      grant_type: 'refresh_token',
      refresh_token: old.refresh_token,
      client_id: old.client_id,
      client_secret: old.client_secret,
    })
  })

  it('with the application in a Basic header, where the system wants that', async () => {
    const { system, renew } = await given((_, __, response) => answerJson(response, { access_token: 'new' }))
    await renew(old, bank('basic'))
    const [request] = system.requests
    assert.equal(
      request!.headers.authorization,
      `Basic ${Buffer.from(`${old.client_id}:${old.client_secret}`).toString('base64')}`,
    )
    assert.deepEqual([...new URLSearchParams(request!.body).keys()], ['grant_type', 'refresh_token'])
  })

  it('and keep their refresh token when the answer has none, an empty one or null', async () => {
    for (const more of [{}, { refresh_token: '' }, { refresh_token: null }, { refresh_token: 7 }]) {
      const { renew } = await given((_, __, response) => answerJson(response, { access_token: 'new', ...more }))
      assert.equal((await renew())!.refresh_token, old.refresh_token)
    }
  })

  it('and take the refresh token that comes in its place', async () => {
    const { renew } = await given((_, __, response) =>
      answerJson(response, { access_token: 'new', refresh_token: 'rotated', expires_in: '60' }),
    )
    assert.equal((await renew())!.refresh_token, 'rotated')
  })

  it('and forget the old expiry when the answer tells none', async () => {
    for (const expires_in of [undefined, null, 'soon', -1, 0]) {
      const { renew } = await given((_, __, response) => answerJson(response, { access_token: 'new', expires_in }))
      assert.equal((await renew())![expiryField], undefined)
    }
  })

  it('with the platform’s application when the connector has none, and else with its own', async () => {
    const platformApplications = { bank: { clientId: 'platform', clientSecret: 'platform-secret' } }
    const { system, renew } = await given((_, __, response) => answerJson(response, { access_token: 'new' }), {
      platformApplications,
    })
    await renew({ refresh_token: 'r' })
    await renew(old)
    assert.deepEqual(
      system.requests.map(({ body }) => new URLSearchParams(body).get('client_id')),
      ['platform', 'app one'],
    )
  })

  it('not at all without an application', async () => {
    const { system, renew } = await given((_, __, response) => answerJson(response, {}))
    await refused(renew({ refresh_token: 'r' }), 'reauthorization_required')
    assert.equal(system.requests.length, 0)
  })

  it('with the platform’s application when the grant was made with that one, and with no other', async () => {
    const platformApplications = { bank: { clientId: 'platform', clientSecret: 'platform-secret' } }
    const { system, renew } = await given((_, __, response) => answerJson(response, { access_token: 'new' }), {
      platformApplications,
    })
    assert.equal((await renew({ refresh_token: 'r', client_id: 'platform' }))!.client_id, 'platform')
    assert.equal(new URLSearchParams(system.requests[0]!.body).get('client_secret'), 'platform-secret')
    await refused(renew({ refresh_token: 'r', client_id: 'before' }), 'reauthorization_required')
    assert.equal(system.requests.length, 1)
  })

  it('not at all when they are of a kind that lasts', async () => {
    const { system, renew } = await given((_, __, response) => answerJson(response, {}))
    assert.equal(await renew({ token: 't' }), null)
    assert.equal(system.requests.length, 0)
  })
})

describe('a renewal is refused for good', () => {
  const refusals: Record<string, Script> = {
    'with invalid_grant': (_, __, response) =>
      answerJson(
        response,
        { error: 'invalid_grant', error_description: 'The `refresh_token` provided was invalid.' },
        400,
      ),
    'with 401 and no body': (_, __, response) => void response.writeHead(401).end(),
    'with 400 and HTML': (_, __, response) =>
      void response.writeHead(400, { 'content-type': 'text/html' }).end('<html>'),
    'with an error under status 200': (_, __, response) => answerJson(response, { error: 'invalid_grant' }),
    'with an error that is hard to print': (_, __, response) =>
      answerJson(response, { error: 'x', error_description: { toString: 1, valueOf: 1 } }, 400),
  }
  for (const [name, script] of Object.entries(refusals))
    it(name, async () => {
      const { system, renew } = await given(script)
      await refused(renew(), 'reauthorization_required')
      assert.equal(system.requests.length, 1)
    })

  it('and the system’s words come along', async () => {
    const { renew } = await given(refusals['with invalid_grant']!)
    assert.deepEqual((await refused(renew(), 'reauthorization_required')).upstream, {
      status: 400,
      code: 'invalid_grant',
      message: 'The `refresh_token` provided was invalid.',
    })
  })

  it('unless what is refused is the platform’s application, which new credentials would not mend', async () => {
    const { renew } = await given((_, __, response) => answerJson(response, { error: 'invalid_client' }, 401), {
      platformApplications: { bank: { clientId: 'platform', clientSecret: 'platform-secret' } },
    })
    await refused(renew({ refresh_token: 'r' }), 'upstream_refused')
    await refused(renew(old), 'reauthorization_required')
  })

  it('and a system that echoes secrets betrays none of them', async () => {
    const platform = { clientId: 'platform', clientSecret: 'platform+secret' }
    const echo: Script = (_, { body }, response) => {
      const pair = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
      const said = `${body} ${[...new URLSearchParams(body).values()].join(' ')} ${pair}`
      answerJson(response, { error: said, error_description: said }, 400)
    }
    const { renew } = await given(echo, { platformApplications: { bank: platform } })
    await refused(renew(), 'reauthorization_required')
    const pair = `${platform.clientId}:${platform.clientSecret}`
    await refused(renew({ refresh_token: 'ref', access_token: 'reference' }), 'reauthorization_required', [
      platform.clientSecret,
      pair,
    ])
  })
})

describe('a renewal that may succeed later is repeated', () => {
  const passing: Record<string, Script> = {
    'after a 500': (_, __, response) => answerJson(response, {}, 500),
    'after HTML under status 200': (_, __, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in'),
    'after an answer without a token': (_, __, response) => answerJson(response, { token_type: 'bearer' }),
    'after a token that is none': (_, __, response) => answerJson(response, { access_token: '' }),
    'after temporarily_unavailable': (_, __, response) =>
      answerJson(response, { error: 'temporarily_unavailable' }, 400),
    'after a reset': (_, __, response) => void response.destroy(),
    'after a cut answer': (_, __, response) => answerJson(response, '{"access_token":"ne'),
    'after a redirect, which is not followed': (_, __, response) =>
      void response.writeHead(302, { location: '/elsewhere' }).end(),
  }
  for (const [name, script] of Object.entries(passing)) {
    it(name, async () => {
      const { system, renew } = await given((turn, request, response) =>
        turn === 0 ? script(turn, request, response) : answerJson(response, { access_token: 'new' }),
      )
      assert.equal((await renew())!.access_token, 'new')
      assert.equal(system.requests.length, 2)
    })
    it(`${name}, three times at the most`, async () => {
      const { system, clock, renew } = await given(script)
      await refused(renew(), 'upstream_error')
      assert.deepEqual([system.requests.length, clock.slept], [4, [500, 1000, 2000]])
      for (const { url } of system.requests) assert.equal(url, '/oauth/token')
    })
  }

  it('when the system asks to slow down, no sooner than it asks, and three times at the most', async () => {
    const slow: Script = (_, __, response) => answerJson(response, { error: 'slow_down' }, 429, { 'retry-after': '7' })
    const { system, clock, renew } = await given(slow)
    const error = await refused(renew(), 'upstream_rate_limited')
    assert.equal(error.retryAfter, 7)
    assert.deepEqual([system.requests.length, clock.slept], [4, [7000, 7000, 7000]])
  })

  it('but not when it asks for more than is waited for', async () => {
    const closed: Script = (_, __, response) => answerJson(response, {}, 429, { 'retry-after': '86400' })
    const { system, clock, renew } = await given(closed)
    const error = await refused(renew(), 'upstream_rate_limited')
    assert.equal(error.retryAfter, 86_400)
    assert.deepEqual([system.requests.length, clock.slept], [1, []])
  })

  it('until its deadline', async () => {
    const { renew } = await given(() => {}, { deadline: 100 })
    await refused(renew(), 'upstream_timeout')
  })
})

it('the token address is the system’s own, or the same place below another base address', () => {
  const own = bank()
  const at = (baseUrl?: string) => systemAddress(style('body').tokenAddress, own, baseUrl).href
  assert.equal(at(), 'https://bank.example/oauth/token')
  assert.equal(at('https://bank.example/api/v1'), 'https://bank.example/oauth/token')
  assert.equal(at('http://127.0.0.1:9400/bank/api/v1'), 'http://127.0.0.1:9400/bank/oauth/token')
  assert.equal(at('http://127.0.0.1:9400/bank/api/v1/'), 'http://127.0.0.1:9400/bank/oauth/token')
})
