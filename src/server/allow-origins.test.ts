import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Fixture, startFixture } from './fixture.suite.ts'
import { parseSettings } from './settings.ts'

const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

async function serving(allowedOrigins: readonly string[] | null): Promise<Fixture> {
  const fixture = await startFixture({ allowedOrigins })
  cleanups.push(() => fixture.close())
  return fixture
}

const path = '/v1/integrations/connectors'
const page = 'https://app.example'
const preflight = (fixture: Fixture, origin: string) =>
  fixture.call('OPTIONS', path, {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })

describe('pages in browsers', () => {
  it('may not call the server unless its operator says so', async () => {
    const fixture = await serving(null)
    const asked = await preflight(fixture, page)
    assert.equal(asked.status, 204)
    const answered = await fixture.call('GET', path, { token: await fixture.scoped('ann'), headers: { origin: page } })
    for (const { headers } of [asked, answered])
      assert.deepEqual(
        [...headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
      )
  })

  it('of the origins that the operator names may, and read errors and the headers that matter', async () => {
    const fixture = await serving([page, 'http://localhost:5173'])
    const asked = await preflight(fixture, page)
    assert.equal(asked.status, 204)
    assert.equal(asked.headers.get('access-control-allow-origin'), page)
    assert.match(asked.headers.get('access-control-allow-headers')!, /authorization/)
    assert.equal(asked.headers.get('access-control-allow-credentials'), null)
    for (const token of [await fixture.scoped('ann'), undefined]) {
      const answered = await fixture.call('GET', path, { token, headers: { origin: page } })
      assert.equal(answered.status, token === undefined ? 401 : 200)
      assert.equal(answered.headers.get('access-control-allow-origin'), page)
      assert.match(answered.headers.get('access-control-expose-headers')!, /x-request-id/)
    }
  })

  it('of other origins may not', async () => {
    const fixture = await serving([page])
    for (const origin of ['https://app.example.evil.example', 'https://evil.example', 'null', 'http://app.example']) {
      const { headers } = await preflight(fixture, origin)
      assert.equal(headers.get('access-control-allow-origin'), null, origin)
    }
  })

  it('are named by their origins', () => {
    const parsed = (CONEX_ALLOWED_ORIGINS: string) => parseSettings([], { CONEX_ALLOWED_ORIGINS }).allowedOrigins
    assert.deepEqual(parsed('https://app.example/, http://localhost:5173'), [page, 'http://localhost:5173'])
    assert.equal(parsed(''), null)
    for (const wrong of ['*', 'app.example', 'https://app.example/path', 'ftp://app.example', 'https://a.example,,'])
      assert.throws(() => parsed(wrong), /CONEX_ALLOWED_ORIGINS must be origins/)
  })
})
