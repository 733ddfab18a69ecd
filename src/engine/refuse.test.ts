import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { scrub } from './refuse.ts'

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
          const said = scrub(`<${form}>${around}`, { a: two, b: one })
          assert.ok(!said.includes(`<${form}>`), said)
        }
      }),
    )
  })

  it('keep no tail of a secret that begins like another', () => {
    assert.equal(scrub('got token-12345 and token', { short: 'token', long: 'token-12345' }), 'got ••• and •••')
  })

  it('keep no authorization that is written out', () => {
    assert.equal(
      scrub('Authorization: Bearer abcdefghijkl, basic YWJjOmRlZg==', {}),
      'Authorization: Bearer •••, basic •••',
    )
  })

  it('keep no beginning of a secret where they are too long to be looked at whole', () => {
    const token = 'secret-token '.repeat(20).replaceAll(' ', '-')
    for (let before = 0; before < token.length; before += 13) {
      const said = scrub('x'.repeat(before) + token.repeat(10_000), { token })
      assert.doesNotMatch(said, /secret/)
    }
    assert.match(scrub(`no such field${' '.repeat(100_000)}`, { token }), /^no such field/)
  })

  it('are one line of whole characters, and not endless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (text) => {
        const said = scrub(text, { token: 'secret-token' })
        assert.ok(said.isWellFormed())
        assert.ok(said.length <= 501)
        assert.doesNotMatch(said, /[\p{Cc}\p{Cf}]/u)
      }),
    )
  })
})
