import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { type AuthorizationStyle, authMethod } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import type { Consent } from '../../catalog/consent.ts'
import { optional, text } from '../../catalog/fields.ts'
import { renewedAt } from '../../catalog/oauth.ts'
import type { ConexError, ErrorCode } from '../../errors.ts'
import { refusal, scriptedEngine, tokenMethod } from '../scripted-engine.suite.ts'
import { answerJson, type Script } from '../scripted-system.suite.ts'
import { consentAddress, consentMethod, newVerifier } from './consent.ts'

const endpoint = {
  tokenAddress: { url: 'https://bank.example/oauth/token', relativeToBase: '../../oauth/token' },
  clientAuthentication: 'body',
} as const

const refreshable: AuthorizationStyle = renewedAt(endpoint)

const consent: Consent = {
  ...endpoint,
  consentAddress: { url: 'https://bank.example/oauth/authorize?tenant=all', relativeToBase: '../../oauth/authorize' },
  scopes: ['read:accounts', 'offline'],
  scopeSeparator: ' ',
  pkce: true,
}

const bank = (more: Partial<Consent> = {}, authorization: AuthorizationStyle = refreshable) =>
  connector({
    kind: 'bank',
    definitionId: '00000000-0000-7000-8000-000000000004',
    title: 'Bank',
    baseUrl: 'https://bank.example/api/v1',
    authMethods: [
      tokenMethod,
      authMethod({
        name: 'oauth',
        title: 'OAuth',
        credentials: { access_token: text(), client_id: optional(text()), client_secret: optional(text()) },
        authorization,
        consent: { ...consent, ...more },
      }),
    ],
    replicationConfig: null,
    check: { entity: 'accounts', action: 'list', params: {} },
    readRefusal: () => null,
    entities: {},
  })

const application = { clientId: 'app one', clientSecret: 'app&secret=one' }
const redirectUri = 'https://conex.example/callback'

describe('the address of a consent page', () => {
  const address = (kind = bank(), baseUrl?: string, verifier: string | null = 'v'.repeat(43)): URL =>
    new URL(
      consentAddress(kind, consentMethod(kind)!, baseUrl, {
        clientId: application.clientId,
        redirectUri,
        state: 's t&a',
        verifier,
      }),
    )

  it('carries the application, the state, the scopes and the proof', () => {
    const url = address()
    assert.equal(url.origin + url.pathname, 'https://bank.example/oauth/authorize')
    assert.ok(!url.href.includes('+'))
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      tenant: 'all',
      client_id: application.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'read:accounts offline',
      state: 's t&a',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    })
  })

  it('is the same place below another base address', () => {
    assert.ok(
      address(bank(), 'http://127.0.0.1:9400/bank/api/v1').href.startsWith(
        'http://127.0.0.1:9400/bank/oauth/authorize?',
      ),
    )
  })

  it('has commas between scopes, fixed parameters and no proof where the kind declares so', () => {
    const kind = bank({ scopeSeparator: ',', pkce: false, parameters: { access_type: 'offline' } })
    const { scope, access_type, code_challenge } = Object.fromEntries(
      address(kind, undefined, newVerifier(consentMethod(kind)!.consent)).searchParams,
    )
    assert.deepEqual([scope, access_type, code_challenge], ['read:accounts,offline', 'offline', undefined])
  })

  it('is proved with a new secret each time', () => {
    const [one, other] = [newVerifier(consent), newVerifier(consent)]
    assert.notEqual(one, other)
    assert.match(one!, /^[A-Za-z0-9_-]{43}$/)
  })
})

async function given(script: Script, kind = bank()) {
  const { system, clock, engine } = await scriptedEngine(script)
  const redeem = (verifier: string | null = 'verifier-of-the-consent') =>
    engine.redeemCode(kind, `${system.origin}/api/v1`, {
      code: 'code-from-browser',
      redirectUri,
      verifier,
      application,
    })
  return { system, clock, redeem }
}

const answers =
  (...bodies: unknown[]): Script =>
  (turn, _, response) =>
    answerJson(response, bodies[Math.min(turn, bodies.length - 1)])

describe('a code is redeemed', () => {
  it('with what the consent was begun with, for credentials that remember their application', async () => {
    const { system, clock, redeem } = await given(
      answers({ access_token: 'a', refresh_token: 'r', expires_in: 3600, token_type: 'bearer', other: 1 }),
    )
    assert.deepEqual(await redeem(), {
      access_token: 'a',
      refresh_token: 'r',
      expires_at: String(clock.now() + 3_600_000),
      client_id: application.clientId,
    })
    assert.deepEqual(Object.fromEntries(new URLSearchParams(system.requests[0]!.body)), {
      grant_type: 'authorization_code',
      code: 'code-from-browser',
      redirect_uri: redirectUri,
      code_verifier: 'verifier-of-the-consent',
      client_id: application.clientId,
      client_secret: application.clientSecret,
    })
  })

  it('with the application in a Basic header, and without a proof, where the system wants that', async () => {
    const { system, redeem } = await given(answers({ access_token: 'a' }), bank({ clientAuthentication: 'basic' }))
    await redeem(null)
    const { headers, body } = system.requests[0]!
    const pair = Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')
    assert.equal(headers.authorization, `Basic ${pair}`)
    assert.deepEqual([...new URLSearchParams(body).keys()], ['grant_type', 'code', 'client_id', 'redirect_uri'])
  })

  it('for the first grant of the answer that has an access token, and never for parts of two', async () => {
    const kind = bank({ grantAt: [[], ['authed_user']] })
    const person = { access_token: 'of-person', refresh_token: 'r-of-person' }
    const bot = await given(answers({ access_token: 'of-bot', authed_user: person }), kind)
    assert.deepEqual(await bot.redeem(), { access_token: 'of-bot', client_id: application.clientId })
    const alone = await given(answers({ refresh_token: 'stray', authed_user: person }), kind)
    assert.deepEqual(await alone.redeem(), { ...person, client_id: application.clientId })
  })

  it('and the token exchanged for one that lasts, where the system has that', async () => {
    const kind = bank(
      {
        exchange: {
          grantType: 'fb_exchange_token',
          token: 'fb_exchange_token',
          seconds: 5_184_000,
          aheadSeconds: 864_000,
        },
        pkce: false,
      },
      { style: 'bearer', token: 'access_token' },
    )
    const { system, clock, redeem } = await given(
      answers({ access_token: 'short', expires_in: 3600 }, { access_token: 'long' }),
      kind,
    )
    assert.deepEqual(await redeem(null), {
      access_token: 'long',
      expires_at: String(clock.now() + 5_184_000_000),
      client_id: application.clientId,
    })
    assert.deepEqual(Object.fromEntries(new URLSearchParams(system.requests[1]!.body)), {
      grant_type: 'fb_exchange_token',
      fb_exchange_token: 'short',
      client_id: application.clientId,
      client_secret: application.clientSecret,
    })
  })

  it('again, after a failure that passes', async () => {
    const { system, redeem } = await given((turn, _, response) =>
      turn === 0 ? void response.destroy() : answerJson(response, { access_token: 'a' }),
    )
    assert.equal((await redeem()).access_token, 'a')
    assert.equal(system.requests.length, 2)
  })
})

describe('a code that is refused', () => {
  async function refused(promise: Promise<unknown>, code: ErrorCode): Promise<ConexError> {
    const error = await refusal(promise, code)
    const told = inspect(error, { depth: 9, showHidden: true })
    for (const secret of ['code-from-browser', 'verifier-of-the-consent', application.clientSecret])
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        assert.ok(!told.includes(form), told)
    return error
  }

  const refusals = {
    codesAt: [['status'], ['error']],
    grant: ['BAD_AUTH_CODE', 'invalid_grant'],
    passing: [423, 'busy'],
  }

  for (const [what, status, body, about] of [
    ['the standard’s word for a grant', 400, { error: 'invalid_grant' }, /code of this consent/],
    ['a 401 without a body', 401, '', /code of this consent/],
    ['an error under status 200', 200, { ok: false, error: 'invalid_code' }, /code of this consent/],
    ['the standard’s word for an application', 401, { error: 'invalid_client' }, /application of this platform/],
  ] as const)
    it(`with ${what} is told as such, once`, async () => {
      const { system, redeem } = await given((_, __, response) => answerJson(response, body, status))
      assert.match((await refused(redeem(), 'upstream_refused')).message, about)
      assert.equal(system.requests.length, 1)
    })

  it('with one of the few codes that speak of grants, wherever it stands, is told from all others', async () => {
    const say = async (body: object) =>
      (
        await refused(
          (await given((_, __, r) => answerJson(r, body, 400), bank({ refusals }))).redeem(),
          'upstream_refused',
        )
      ).message
    assert.match(await say({ status: 'BAD_AUTH_CODE', error: 'invalid_request' }), /code of this consent/)
    assert.match(await say({ error: 'invalid_grant' }), /code of this consent/)
    assert.match(await say({ status: 'BAD_SOMETHING', error: 'invalid_request' }), /application of this platform/)
  })

  it('with a code or status that passes is tried again', async () => {
    for (const [body, status] of [
      [{ status: 'error' }, 423],
      [{ error: 'busy' }, 400],
    ] as const) {
      const { system, redeem } = await given((_, __, r) => answerJson(r, body, status), bank({ refusals }))
      await refused(redeem(), 'upstream_error')
      assert.equal(system.requests.length, 4)
    }
  })

  it('by a system that echoes all it was sent betrays none of it', async () => {
    const { redeem } = await given((_, { body }, response) => {
      const said = `${body} ${[...new URLSearchParams(body).values()].join(' ')}`
      answerJson(response, { error: said, error_description: said }, 400)
    })
    await refused(redeem(), 'upstream_refused')
  })
})
