import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { refusalText, textIn } from './refusal-text.ts'

describe('a system’s words', () => {
  for (const [body, words] of [
    ['Too many', 'Too many'],
    [{ message: 'Limit Exceeded' }, 'Limit Exceeded'],
    [{ Message: 'User is not authorized' }, 'User is not authorized'],
    [{ errors: 'Bad cursor' }, 'Bad cursor'],
    [{ errors: ['one', 'two'] }, 'one two'],
    [{ errors: [{ message: 'one' }, { message: 'two', code: 7 }] }, 'one two'],
    [{ error: 'boom' }, 'boom'],
    [{ error: 'invalid_grant', error_description: 'The token was revoked.' }, 'The token was revoked.'],
    [{ error: { message: 'Deep', details: [{ reason: 'x' }] } }, 'Deep'],
    [{ error: { code: 5, errors: [{ message: 'Deeper' }] } }, 'Deeper'],
    [{ message: 'Validation failed', errors: [{ message: 'limit: too large' }] }, 'Validation failed limit: too large'],
    [{ errors: { limit: ['is too large'], from: 'is missing' } }, 'limit: is too large from: is missing'],
    [{ fault: { faultstring: 'Rejected by policy' } }, 'Rejected by policy'],
    [{ title: 'Forbidden', detail: 'No such scope', status: 403 }, 'No such scope'],
    [{ requestId: 'x', data: { message: 'a record' } }, ''],
    [{ message: { text: 'nested' } }, 'text: nested'],
    [null, ''],
    [7, ''],
    [[], ''],
    [{ errors: [null, 7, {}] }, ''],
  ] as const)
    it(`are found in ${JSON.stringify(body)}`, () => assert.equal(textIn(body), words))

  it('are the text of what is no JSON, and the title of a page', () => {
    assert.equal(refusalText({ body: undefined, text: ' Service Unavailable\n' }), 'Service Unavailable')
    const page = '<!doctype html><html><head><title> 502 Bad Gateway </title></head><body><h1>nginx</h1></body></html>'
    assert.equal(refusalText({ body: undefined, text: page }), '502 Bad Gateway')
    assert.equal(
      refusalText({ body: undefined, text: '<Error><Code>No</Code><Message>Gone</Message></Error>' }),
      'Gone',
    )
    assert.equal(refusalText({ body: undefined, text: '<html></html>' }), '')
    assert.equal(refusalText({ body: undefined }), '')
  })

  it('are looked for in anything, and not without end', () => {
    fc.assert(fc.property(fc.anything(), (body) => void assert.equal(typeof textIn(body), 'string')))
    let deep: unknown = 'x'
    for (let level = 0; level < 5000; level++) deep = { error: deep }
    assert.equal(textIn(deep), '')
    assert.ok(textIn({ errors: Array(100_000).fill('x'.repeat(1000)) }).length < 30_000)
  })
})
