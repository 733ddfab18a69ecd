/** What comes back from a consent page: the end user’s answer, and what is none. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { type Consenting, callbackPath, startConsenting } from './consenting.ts'
import { type Answer, type Hosted, isProblem, startHosted } from './hosted.ts'

describe('callbacks of consents', () => {
  let hosted: Hosted
  let consenting: Consenting
  const asana = { connector_type: 'asana' }

  before(async () => {
    hosted = await startHosted({ settings: { upstreamTimeoutSeconds: 2 } })
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  /** The error with which a browser is sent on. */
  function sentOnWith(answer: Answer): { error: string | null; words: string; url: URL } {
    assert.equal(answer.status, 302, answer.text)
    const url = new URL(answer.headers.get('location')!)
    assert.equal(url.origin + url.pathname, 'https://app.example/connected')
    assert.equal(url.searchParams.get('from'), 'settings')
    assert.equal(url.searchParams.get('secret_id'), null)
    return { error: url.searchParams.get('error'), words: url.searchParams.get('error_description') ?? '', url }
  }

  it('that are denied send the browser on with the system’s own word', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'deny')
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'access_denied')
    // The state is used up by a denial as well.
    isProblem(await consenting.visit(callback), 'not_found')
  })

  it('with a state that is missing, unknown, used or too old end here', async () => {
    const at = (query: string) => consenting.visit(`${hosted.server.origin}${callbackPath}${query}`)
    isProblem(await at(''), 'invalid_request', '/state')
    isProblem(await at('?state=a&state=b&code=c'), 'invalid_request', '/state')
    isProblem(await at('?state=unknown&code=c'), 'not_found')

    const used = await consenting.press(await consenting.consentUrl(asana), 'allow')
    assert.equal((await consenting.visit(used)).status, 302)
    isProblem(await consenting.visit(used), 'not_found')

    const late = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.clock.advance(600_000)
    isProblem(await consenting.visit(late), 'not_found')
    hosted.clock.advance(-600_000)
  })

  it('answer a callback that nobody sent on purpose with a problem, whatever it holds', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('__proto__', 'state', 'code', 'error', '%', '%00', '%ff', 'a'.repeat(5000), '[]', '\u0000'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(odd, odd), { maxLength: 4 }), fc.boolean(), async (pairs, escaped) => {
        const text = (part: string) =>
          escaped ? encodeURIComponent(part.toWellFormed()) : encodeURI(part.toWellFormed())
        const query = pairs.map(([name, value]) => `${text(name)}=${text(value)}`).join('&')
        const answer = await fetch(`${hosted.server.origin}${callbackPath}?${query}`, { redirect: 'manual' })
        const body = await answer.text()
        assert.ok([404, 422].includes(answer.status), `${answer.status} ${query} ${body}`)
        assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
      }),
      { numRuns: 200 },
    )
  })

  it('are not used up by a HEAD', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    assert.equal((await fetch(callback, { method: 'HEAD', redirect: 'manual' })).status, 405)
    assert.equal((await consenting.visit(callback)).status, 302)
  })

  it('visited twice at once are redeemed once', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    const answers = await Promise.all(Array.from({ length: 5 }, () => consenting.visit(callback)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [302, 404, 404, 404, 404])
  })

  it('whose code is refused, or that come back without one, send the browser on with the reason', async () => {
    for (const [kind, words] of [
      ['asana', 'Asana does not accept the code'],
      ['slack', 'Slack does not accept the code'],
      ['hubspot', 'HubSpot does not accept the code'],
    ] as const) {
      const callback = await consenting.press(await consenting.consentUrl({ connector_type: kind }), 'allow')
      callback.searchParams.set('code', 'forged-by-somebody')
      const sent = sentOnWith(await consenting.visit(callback))
      assert.equal(sent.error, 'upstream_refused')
      assert.ok(sent.words.startsWith(words), sent.words)
    }
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    callback.searchParams.delete('code')
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'invalid_request')
  })

  it('that the system cannot redeem now are tried again, and then send the browser on', async () => {
    const once = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'status', status: 503 }, { path: '/-/oauth_token' })
    assert.equal((await consenting.visit(once)).status, 302)
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'reset' }, { path: '/-/oauth_token', times: null })
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'upstream_error')
  })

  it('that never get an answer send the browser on in time', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'never' }, { path: '/-/oauth_token', times: null })
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'upstream_timeout')
  })

  it('pass on no more of a system’s words than a program can take', async () => {
    const state = new URL(await consenting.consentUrl(asana)).searchParams.get('state')!
    const query = new URLSearchParams({ state, error: `x\r\n${'é'.repeat(500)}`, error_description: 'y'.repeat(4000) })
    const { error, words } = sentOnWith(await consenting.visit(`${hosted.server.origin}${callbackPath}?${query}`))
    assert.match(error!, /^[\x20-\x7e]{1,100}$/)
    assert.equal(words.length, 500)
  })
})
