/** What a person sees whose browser comes to the server, and what programs get at the same addresses. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type Fixture, startFixture } from './fixture.suite.ts'
import { isProblem } from './problem.suite.ts'

/** As Chromium and Firefox ask for a page. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
const callback = '/v1/integrations/connectors/oauth/callback'

describe('pages for people', () => {
  let fixture: Fixture
  before(async () => {
    fixture = await startFixture()
  })
  after(() => fixture.close())

  const visit = (path: string, headers: Readonly<Record<string, string>> = { accept: browser }, method = 'GET') =>
    fetch(fixture.server.origin + path, { method, headers, redirect: 'manual' })

  it('say why a consent could not be finished, with the status of the error', async () => {
    const answer = await visit(`${callback}?state=unknown&code=c`)
    assert.equal(answer.status, 404)
    assert.match(answer.headers.get('content-type')!, /^text\/html; charset=utf-8$/)
    const page = await answer.text()
    assert.match(page, /<html lang="en">/)
    assert.match(page, /<h1 class="failed">Your account was not connected<\/h1>/)
    assert.match(page, /older than ten minutes; go back to where you came from and start again/)
    assert.ok(page.includes(answer.headers.get('x-request-id')!))
    assert.equal((await visit(callback)).status, 422)
  })

  it('let in their own style and nothing else', async () => {
    const answer = await visit('/nothing')
    assert.equal(answer.status, 404)
    const page = await answer.text()
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(page)!
    const hash = createHash('sha256').update(style!).digest('base64')
    const policy = answer.headers.get('content-security-policy')!
    assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}';`), policy)
    assert.doesNotMatch(page, /<script|\son\w+=|\sstyle=|https?:\/\//)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(page, /prefers-color-scheme: dark/)
  })

  it('show what came with a request as text', async () => {
    const page = await (await visit(`${callback}?state=${'x'.repeat(300)}&<script>alert(1)</script>`)).text()
    assert.doesNotMatch(page, /<script/)
  })

  it('are for browsers alone', async () => {
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'application/json, text/html;q=0.9' },
      { accept: 'text/html;q=0' },
      { accept: 'text/html;q=x' },
      { accept: 'application/json' },
      { accept: browser, authorization: 'Bearer x' },
    ]) {
      const answer = await visit('/nothing', headers)
      assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/, JSON.stringify(headers))
    }
    const posted = await visit('/nothing', { accept: browser }, 'POST')
    assert.match(posted.headers.get('content-type')!, /^application\/problem\+json/)
  })

  it('begin with the documents, where a browser asks for the address alone', async () => {
    for (const path of ['/', '/?utm_source=x']) {
      const answer = await visit(path)
      assert.equal(answer.status, 302)
      const location = new URL(answer.headers.get('location')!, fixture.server.origin + path)
      assert.equal(location.pathname, '/docs')
      const docs = await fetch(location, { headers: { accept: browser } })
      assert.equal(docs.status, 200)
      assert.match(await docs.text(), /<html lang="en">/)
    }
    isProblem(await fixture.call('GET', '/'), 'not_found')
  })
})
