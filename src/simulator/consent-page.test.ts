import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { createClock } from './clock.ts'
import { type ConsentOptions, createConsentPage } from './consent-page.ts'
import type { Call, Reply } from './system.ts'

const application = { client_id: 'app', client_secret: 'app-secret' }
const asked = {
  client_id: 'app',
  redirect_uri: 'http://127.0.0.1:5173/cb?x=1',
  response_type: 'code',
  scope: 'read:a read:b',
  state: 's "&<',
}

function given(options: Partial<ConsentOptions> = {}) {
  const clock = createClock(() => 1_000_000)
  const consent = createConsentPage({
    title: 'System',
    person: 'Ana <ana@example>',
    application,
    clock,
    separator: ' ',
    pkce: true,
    ...options,
  })
  const call = (method: string, params: Readonly<Record<string, string | undefined>>): Reply => {
    const form = new URLSearchParams(Object.entries(params).filter((pair): pair is [string, string] => !!pair[1]))
    const text = form.toString()
    const body = method === 'POST' ? text : ''
    return consent.answer({ method, path: '/authorize', query: method === 'GET' ? text : '', body } as Call)
  }
  const press = (decision: string, more: Readonly<Record<string, string | undefined>> = {}): URL => {
    const reply = call('POST', { ...asked, ...more, decision })
    assert.equal(reply.status, 302, String(reply.body))
    return new URL(reply.headers.location!)
  }
  const code = (more: Readonly<Record<string, string | undefined>> = {}): string =>
    press('allow', more).searchParams.get('code')!
  return { consent, clock, call, press, code }
}

describe('a consent page', () => {
  it('says who asks for what of whom, and takes nothing on the way for markup', () => {
    const { status, headers, body } = given().call('GET', asked)
    assert.equal(status, 200)
    assert.match(headers['content-type']!, /^text\/html/)
    for (const part of ['<li>read:a</li>', '<li>read:b</li>', 'Ana &lt;ana@example&gt;', 'value="s &quot;&amp;&lt;"'])
      assert.ok(String(body).includes(part), part)
    assert.ok(!String(body).includes(application.client_secret))
  })

  it('sends the browser back with a code and the state, and keeps what the address held', () => {
    const back = given().press('allow')
    assert.equal(back.origin + back.pathname, 'http://127.0.0.1:5173/cb')
    assert.deepEqual([back.searchParams.get('x'), back.searchParams.get('state')], ['1', asked.state])
    assert.ok(back.searchParams.get('code'))
  })

  it('sends it back with access_denied, and with what the system adds to that', () => {
    const back = given({ denial: { error_reason: 'user_denied' } }).press('deny')
    const { error, error_reason, code, state } = Object.fromEntries(back.searchParams)
    assert.deepEqual([error, error_reason, code, state], ['access_denied', 'user_denied', undefined, asked.state])
  })

  it('sends nobody anywhere for another application or to an address that is not its own', () => {
    for (const wrong of [
      { client_id: 'other' },
      { client_id: undefined },
      { redirect_uri: undefined },
      { redirect_uri: 'http://evil.example/' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: 'https://ok.example/#f' },
    ])
      for (const method of ['GET', 'POST']) {
        const { status, headers } = given().call(method, { ...asked, ...wrong, decision: 'allow' })
        assert.deepEqual([status, headers.location], [400, undefined])
      }
  })

  it('compares registered addresses letter for letter', () => {
    const { consent, call } = given()
    consent.register(['https://conex.example/callback'])
    const at = (redirect_uri: string) => call('GET', { ...asked, redirect_uri }).status
    assert.equal(at('https://conex.example/callback'), 200)
    for (const other of ['https://conex.example/callback/', 'https://conex.example/callback?x', asked.redirect_uri])
      assert.equal(at(other), 400)
  })

  it('tells the program of its own mistakes', () => {
    const error = (options: Partial<ConsentOptions>, more: Readonly<Record<string, string>>) => {
      const { headers } = given(options).call('GET', { ...asked, ...more })
      return new URL(headers.location!).searchParams.get('error')
    }
    assert.equal(error({}, { response_type: 'token' }), 'unsupported_response_type')
    assert.equal(error({ scopes: ['read:a'] }, {}), 'invalid_scope')
    assert.equal(error({}, { code_challenge: 'x', code_challenge_method: 'plain' }), 'invalid_request')
  })
})

describe('a code', () => {
  it('is good once', () => {
    const { consent, code } = given()
    const one = code()
    assert.deepEqual(consent.redeem(one, asked.redirect_uri, undefined), {
      redirectUri: asked.redirect_uri,
      challenge: undefined,
      scopes: ['read:a', 'read:b'],
      ends: 1_600_000,
    })
    assert.equal(consent.redeem(one, asked.redirect_uri, undefined), 'unknown code')
  })

  it('is used up by a wrong address or proof', () => {
    const challenge = createHash('sha256').update('verifier').digest('base64url')
    const { consent, code } = given()
    const proven = () => code({ code_challenge: challenge, code_challenge_method: 'S256' })
    for (const [uri, verifier, fault] of [
      ['http://127.0.0.1:5173/cb', 'verifier', 'other redirect_uri'],
      [asked.redirect_uri, 'other', 'wrong verifier'],
      [asked.redirect_uri, undefined, 'wrong verifier'],
    ] as const) {
      const one = proven()
      assert.equal(consent.redeem(one, uri, verifier), fault)
      assert.equal(consent.redeem(one, asked.redirect_uri, 'verifier'), 'unknown code')
    }
    assert.equal(typeof consent.redeem(proven(), asked.redirect_uri, 'verifier'), 'object')
  })

  it('ends after its time', () => {
    const { consent, clock, code } = given({ codeLife: 1000 })
    const [one, other] = [code(), code()]
    clock.advance(1000)
    assert.equal(typeof consent.redeem(one!, asked.redirect_uri, undefined), 'object')
    clock.advance(1)
    assert.equal(consent.redeem(other!, asked.redirect_uri, undefined), 'unknown code')
  })

  it('needs no proof where the system knows none', () => {
    const { consent, code } = given({ pkce: false })
    const one = code({ code_challenge: 'x', code_challenge_method: 'S256' })
    assert.equal(typeof consent.redeem(one, asked.redirect_uri, undefined), 'object')
  })
})
