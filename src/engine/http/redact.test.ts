import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { redact } from './redact.ts'

const secret = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((text) => /^\S+$/.test(text))

describe('a system’s words', () => {
  it('keep no secret, however it is written among them', () => {
    fc.assert(
      fc.property(secret, secret, fc.string(), (one, two, around) => {
        const forms = [
          one,
          encodeURIComponent(one),
          new URLSearchParams({ a: one }).toString().slice(2),
          Buffer.from(one).toString('base64'),
        ]
        for (const form of forms) {
          const said = redact(`<${form}>${around}`, { a: two, b: one })
          assert.ok(!said.includes(`<${form}>`), said)
        }
      }),
    )
  })

  it('keep no tail of a secret that begins like another', () => {
    assert.equal(redact('got token-12345 and token', { short: 'token', long: 'token-12345' }), 'got ••• and •••')
  })

  it('keep no authorization that is written out', () => {
    assert.equal(
      redact('Authorization: Bearer abcdefghijkl, basic YWJjOmRlZg==', {}),
      'Authorization: Bearer •••, basic •••',
    )
  })

  for (const [said, kept] of [
    ['GET /x?access_token=SOMEBODYS&after=A failed', 'GET /x?access_token=•••&after=A failed'],
    ['next: https://x.example/?after=A&appsecret_proof=0f9e', 'next: https://x.example/?after=A&appsecret_proof=•••'],
    ['{"client_secret":"abc","note":"b"}', '{"client_secret":"•••","note":"b"}'],
    ['{\\"refresh_token\\": \\"abc\\", \\"x\\": 1}', '{\\"refresh_token\\": \\"•••\\", \\"x\\": 1}'],
    ['at %2Fx%3Faccess_token%3DSOMEBODYS%26after%3DA', 'at %2Fx%3Faccess_token%3D•••%26after%3DA'],
    ["password='hunter2' is wrong", "password='•••' is wrong"],
    ['Invalid access_token: EAAB123', 'Invalid access_token: •••'],
    ['?token=a&code=b&api_key=c&apikey=d&signature=e&X-Amz-Signature=f&sig=g&limit=5', null],
    ['?fb_exchange_token=a&id_token=b&client_assertion=c&password=d&key=e&X-Amz-Credential=f&limit=5', null],
    ['Token: expired. Error code: 190 (subcode 463)', 'Token: expired. Error code: 190 (subcode 463)'],
    [
      'the key is missing; offset: Your pagination token is invalid.',
      'the key is missing; offset: Your pagination token is invalid.',
    ],
    ['?monkey=a&barcode=b&encode=c', '?monkey=a&barcode=b&encode=c'],
  ] as const)
    it(`keep no value of a parameter that carries a credential, whoever’s: ${said}`, () => {
      const safe = redact(said, {})
      if (kept !== null) assert.equal(safe, kept)
      else assert.match(safe, /^\?([\w-]+=•••&)+limit=5$/)
    })

  it('keep no beginning of a secret where they are too long to be looked at whole', () => {
    const token = 'secret-token '.repeat(20).replaceAll(' ', '-')
    for (let before = 0; before < token.length; before += 13) {
      const said = redact('x'.repeat(before) + token.repeat(10_000), { token })
      assert.doesNotMatch(said, /secret/)
    }
    assert.match(redact(`no such field${' '.repeat(100_000)}`, { token }), /^no such field/)
  })

  it('are one line of whole characters, and not endless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (text) => {
        const said = redact(text, { token: 'secret-token' })
        assert.ok(said.isWellFormed())
        assert.ok(said.length <= 501)
        assert.doesNotMatch(said, /[\p{Cc}\p{Cf}]/u)
      }),
    )
  })
})
