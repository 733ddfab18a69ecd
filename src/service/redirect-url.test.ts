import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConexError } from '../errors.ts'
import { readRedirectUrl, withQuery } from './redirect-url.ts'

const refused = (given: string, allowed: readonly string[] | null = null): string => {
  try {
    readRedirectUrl(given, allowed)
  } catch (error) {
    assert.ok(error instanceof ConexError)
    assert.equal(error.code, 'invalid_request')
    assert.equal(error.issues?.[0]?.path, '/redirect_url')
    return error.issues[0].message
  }
  return assert.fail(`${given} was taken`)
}

describe('a browser is sent', () => {
  for (const good of [
    'https://ok.example/cb?x=1',
    'https://ok.example:8443/',
    'http://127.0.0.1:5173/cb',
    'http://127.8.9.1/cb',
    'http://[::1]:5173/cb',
    'http://localhost:5173/cb',
  ])
    it(`to ${good}`, () => assert.equal(readRedirectUrl(good, null), good))

  for (const [given, read] of [
    ['HTTPS://OK.example/cb', 'https://ok.example/cb'],
    ['http://2130706433/cb', 'http://127.0.0.1/cb'],
    ['https:\\\\ok.example\\cb', 'https://ok.example/cb'],
    [' https://ok.example/a b', 'https://ok.example/a%20b'],
  ] as const)
    it(`where browsers read ${JSON.stringify(given)} to lead`, () => assert.equal(readRedirectUrl(given, null), read))

  for (const [given, reason] of Object.entries({
    'https://ok.example:443@evil.example/cb': /user or a password/,
    'https://user:pass@ok.example/': /user or a password/,
    'http://127.0.0.1:80@evil.example/': /https/,
    'http://localhost.evil.example/': /https/,
    'http://127.0.0.1.evil.example/': /https/,
    'http://localhost\\@evil.example/#': /fragment/,
    'http://[::ffff:127.0.0.1]/': /https/,
    'http://0.0.0.0/': /https/,
    'https://ok.example/cb#f': /fragment/,
    'https://ok.example/cb#': /fragment/,
    'http://ok.example/cb': /https/,
    'javascript:alert(1)': /https/,
    'data:text/html,x': /https/,
    'ftp://ok.example/': /https/,
    'app.example://cb': /https/,
    '/cb': /complete address/,
    '//ok.example/cb': /complete address/,
    'ok.example/cb': /complete address/,
    'https://': /complete address/,
    'https://ok.example/?secret_id=mine': /secret_id/,
    'https://ok.example/?error=x': /error/,
  }))
    it(`never to ${given}`, () => assert.match(refused(given), reason))

  it('to the addresses of the organization alone, where it lists any, with any query', () => {
    const allowed = ['https://app.example/connected', 'http://localhost:5173/cb?fixed=1']
    for (const good of ['https://app.example/connected?x=1', 'http://localhost:5173/cb'])
      assert.equal(readRedirectUrl(good, allowed), good)
    for (const bad of [
      'https://app.example/connected/',
      'https://app.example/',
      'https://other.example/connected',
      'https://app.example:8443/connected',
      'http://localhost:5174/cb',
    ])
      assert.match(refused(bad, allowed), /allows/)
    assert.match(refused('https://app.example/connected', []), /allows/)
  })
})

it('what an address holds stays as it is, letter for letter', () => {
  for (const [address, whole] of [
    ['https://ok.example/cb', 'https://ok.example/cb?secret_id=s'],
    ['https://ok.example/cb?', 'https://ok.example/cb?secret_id=s'],
    ['https://ok.example/cb?x=a%20b+c&flag&x=2', 'https://ok.example/cb?x=a%20b+c&flag&x=2&secret_id=s'],
    ['https://ok.example/cb?a=%E4%F6', 'https://ok.example/cb?a=%E4%F6&secret_id=s'],
  ] as const)
    assert.equal(withQuery(address, { secret_id: 's' }), whole)
  assert.equal(withQuery('https://ok.example/', { error: 'a&b=c d' }), 'https://ok.example/?error=a%26b%3Dc+d')
})
