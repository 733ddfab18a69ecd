import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Fixture, json, startFixture } from './fixture.suite.ts'
import { isProblem } from './problem.suite.ts'

describe('a raw request', () => {
  let fixture: Fixture
  let bearer: string
  let ann: string
  let id: string
  before(async () => {
    fixture = await startFixture({ rawRequests: true })
    bearer = await fixture.bearer()
    ann = await fixture.scoped('ann')
    id = await fixture.connect(ann)
  })
  beforeEach(() => {
    fixture.received.length = 0
    fixture.answer = (_request, response) => json(response, 200, { data: [] })
  })
  after(() => fixture.close())

  const send = (body: unknown, token = ann) =>
    fixture.call('POST', `/v1/integrations/connectors/${id}/request`, { token, body })

  it('goes out with the connector’s credentials, and its answer comes back byte for byte', async () => {
    const text = '{ "id": 12345678901234567890, "price": 2.50 }\n'
    fixture.answer = (_request, response) =>
      void response.writeHead(203, { 'content-type': 'application/json; odd=1' }).end(text)
    const answer = await send({ path: '/notes/7/comments', query: { limit: 5, all: true, name: 'a b&c' } })
    assert.deepEqual([answer.status, answer.text], [203, text])
    assert.equal(answer.headers.get('content-type'), 'application/json; odd=1')
    assert.equal(answer.headers.get('content-disposition'), 'attachment')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(fixture.received, [
      {
        method: 'GET',
        url: '/notes/7/comments?limit=5&all=true&name=a%20b%26c',
        authorization: 'Bearer good',
        body: '',
      },
    ])
  })

  it('passes on bytes that are no JSON, and posts JSON where the kind reads by it', async () => {
    const bytes = Buffer.from([0, 255, 1, 254])
    fixture.answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes)
    const answer = await fixture.call('POST', `/api/v1/integrations/connectors/${id}/request`, {
      token: bearer,
      body: { method: 'POST', path: '/notes/search', body: { text: 'x' } },
    })
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    assert.equal(answer.headers.get('content-length'), '4')
    assert.deepEqual(
      fixture.received.map(({ method, url, body }) => [method, url, body]),
      [['POST', '/notes/search', '{"text":"x"}']],
    )
  })

  it('has the errors of operations', async () => {
    fixture.answer = (_request, response) => json(response, 404, { error: 'It is gone.' })
    isProblem(await send({ path: '/notes/7' }), 'record_not_found')
    fixture.answer = (_request, response) => json(response, 401, { error: 'The token expired.' })
    isProblem(await send({ path: '/notes/7' }), 'reauthorization_required')
  })

  it('is refused before anything is sent where it is no read that the kind knows', async () => {
    const wrong: [object, string][] = [
      [{}, '/path'],
      [{ path: 'notes' }, '/path'],
      [{ path: '//other.example/notes' }, '/path'],
      [{ path: '/notes/../admin' }, '/path'],
      [{ path: '/notes/%2e%2E/admin' }, '/path'],
      [{ path: '/notes/%2fadmin' }, '/path'],
      [{ path: '/notes/%252e%252e' }, '/path'],
      [{ path: '/notes/%zz' }, '/path'],
      [{ path: '/notes\\..' }, '/path'],
      [{ path: '/notes?x=1' }, '/path'],
      [{ path: '/other/7' }, '/path'],
      [{ path: '/notes/7', method: 'DELETE' }, '/method'],
      [{ path: '/notes/7', method: 'POST' }, '/path'],
      [{ path: '/notes/7', body: {} }, '/body'],
      [{ path: '/notes/7', query: { Method: 'delete' } }, '/query/Method'],
      [{ path: '/notes/7', query: { x: {} } }, '/query'],
      [{ path: '/notes/7', headers: { a: 'b' } }, '/headers'],
    ]
    for (const [body, path] of wrong) {
      const answer = await send(body)
      isProblem(answer, 'invalid_params')
      assert.equal(answer.body.errors[0].path, path, JSON.stringify(body))
    }
    assert.deepEqual(fixture.received, [])
  })

  it('is kept in the audit log without its query', async () => {
    await send({ path: '/notes/7', query: { q: 'private' } })
    const { body, text } = await fixture.call('GET', '/v1/integrations/audit?event=request.sent', { token: bearer })
    assert.deepEqual(body.entries[0].details, { method: 'GET', path: '/notes/7' })
    assert.ok(!text.includes('private'))
  })

  it('needs a token with its scope, which a scoped token gets from one that has it', async () => {
    const { id: client_id, secret: client_secret } = fixture.server.madeClient!
    const token = async (scope?: string) => {
      const body = { client_id, client_secret, scope }
      return (await fixture.call('POST', '/api/v1/account/applications/token', { body })).body.access_token
    }
    const plain = await token()
    const isForbidden = await send({ path: '/notes/7' }, plain)
    isProblem(isForbidden, 'forbidden')
    assert.match(isForbidden.body.detail, /scope raw_requests/)
    const scoped = (from: string) =>
      fixture.call('POST', '/api/v1/embedded/scoped-token', {
        token: from,
        body: { external_user_id: 'ann', scope: 'raw_requests' },
      })
    isProblem(await scoped(plain), 'forbidden')
    const { body } = await scoped(await token('raw_requests'))
    assert.equal((await send({ path: '/notes/7' }, body.token)).status, 200)
    assert.equal((await send({ path: '/notes/7' }, await fixture.scoped('bob'))).status, 404)
  })

  it('is off where private records are left out, which it could show', async (t) => {
    const careful = await startFixture({ rawRequests: true, privateRecords: false })
    t.after(() => careful.close())
    const token = await careful.bearer()
    const path = `/v1/integrations/connectors/${await careful.connect(token)}/request`
    isProblem(await careful.call('POST', path, { token, body: { path: '/notes/7' } }), 'forbidden')
    assert.deepEqual(careful.received, [])
  })

  it('is off unless the operator allows it', async (t) => {
    const usual = await startFixture()
    t.after(() => usual.close())
    const token = await usual.bearer()
    const path = `/v1/integrations/connectors/${await usual.connect(token)}/request`
    const answer = await usual.call('POST', path, { token, body: { path: '/notes/7' } })
    isProblem(answer, 'forbidden')
    assert.match(answer.body.detail, /CONEX_RAW_REQUESTS=true/)
    assert.deepEqual(usual.received, [])
  })
})
