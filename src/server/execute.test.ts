import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Fixture, json, startFixture } from './fixture.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('execute over HTTP', () => {
  let fixture: Fixture
  let token: string
  let id: string

  before(async () => {
    fixture = await startFixture()
    token = await fixture.scoped('ann')
    id = await fixture.connect(token)
  })
  after(() => fixture.close())
  beforeEach(() => {
    fixture.received.length = 0
  })

  const status = async (connectorId: string) =>
    (await fixture.call('GET', `${connectors}/${connectorId}`, { token })).body.status

  it('answers a list with its records and paging block, at both addresses', async () => {
    fixture.answer = (_request, response) =>
      json(response, 200, { data: [{ id: '1', title: 'a', more: 1 }], next: 'p2' })
    const body = { entity: 'notes', action: 'list', params: { limit: 1 } }
    for (const path of [`/api/v1/connectors/sources/${id}/execute`, `/api/v1/integrations/connectors/${id}/execute`]) {
      const answer = await fixture.call('POST', path, { token, body })
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type')!, /^application\/json/)
      assert.deepEqual(answer.body, { result: [{ id: '1', title: 'a', more: 1 }], connector_metadata: { next: 'p2' } })
    }
    assert.deepEqual(
      fixture.received.map(({ url, authorization }) => [url, authorization]),
      Array(2).fill(['/notes?limit=1', 'Bearer good']),
    )
  })

  it('loses no digit on the way', async () => {
    fixture.answer = (_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"id":"1","title":"t","big":12345678901234567890}')
    const answer = await fixture.execute(token, id, { entity: 'notes', action: 'get', params: { note_id: '1' } })
    assert.match(answer.text, /"big":12345678901234567890[,}]/)
  })

  it('tells what the third-party system complained of', async () => {
    fixture.answer = (_request, response) => json(response, 400, { error: 'no such filter' })
    const answer = await fixture.execute(token, id, { entity: 'notes', action: 'list' })
    assert.deepEqual([answer.status, answer.body.code], [422, 'upstream_refused'])
    assert.deepEqual(answer.body.upstream, { status: 400, code: null, message: 'no such filter' })
  })

  it('passes a file on with its headers, whole and in part', async () => {
    const file = Buffer.from('0123456789')
    fixture.answer = ({ url, headers }, response) => {
      if (url === '/files/7') return json(response, 200, { url: `${fixture.upstream}/bytes` })
      const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
      const part = range === null ? file : file.subarray(Number(range[1]), Number(range[2]) + 1)
      response.writeHead(range === null ? 200 : 206, {
        'content-type': 'text/plain',
        'content-length': part.length,
        'accept-ranges': 'bytes',
        'content-disposition': 'attachment; filename="a.txt"',
        ...(range !== null && { 'content-range': `bytes ${range[1]}-${range[2]}/10` }),
      })
      response.end(part)
    }
    const run = (params: object) => fixture.execute(token, id, { entity: 'files', action: 'download', params })
    const whole = await run({ file_id: '7' })
    assert.deepEqual([whole.status, whole.text], [200, '0123456789'])
    for (const [name, value] of [
      ['content-type', 'text/plain'],
      ['content-length', '10'],
      ['accept-ranges', 'bytes'],
    ] as const)
      assert.equal(whole.headers.get(name), value)
    assert.match(whole.headers.get('content-disposition')!, /a\.txt/)
    const part = await run({ file_id: '7', range_header: 'bytes=2-4' })
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, '234', 'bytes 2-4/10'])
    assert.equal(part.headers.get('content-length'), '3')
  })

  it('answers an error before the first byte as a problem, and breaks the connection after it', async () => {
    fixture.answer = ({ url }, response) => {
      if (url === '/files/none') return json(response, 200, {})
      if (url === '/files/gone') return json(response, 404, { error: 'gone' })
      if (url?.startsWith('/files/')) return json(response, 200, { url: `${fixture.upstream}/bytes` })
      response.writeHead(200, { 'content-length': 1_000_000 })
      response.write('x'.repeat(1000), () => setImmediate(() => response.destroy()))
    }
    const run = (file_id: string) =>
      fixture.execute(token, id, { entity: 'files', action: 'download', params: { file_id } })
    assert.equal((await run('none')).body.code, 'file_unavailable')
    assert.equal((await run('gone')).body.code, 'record_not_found')
    await assert.rejects(() => run('cut'), /terminated|aborted|other side closed/)
    await fixture.logged(/a file broke off/)
    await fixture.logged(/"status":200,"broken_off":true/)
  })

  it('stops reading when the caller hangs up, before the first byte and after it', async () => {
    const upstreamClosed = (started: (response: ServerResponse) => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      fixture.answer = ({ url }, response) => {
        if (url?.startsWith('/files/')) return json(response, 200, { url: `${fixture.upstream}/bytes` })
        response.once('close', () => resolve())
        started(response)
      }
      return promise
    }
    const ask = (body: object) => {
      const { hostname, port } = new URL(fixture.server.origin)
      const call = httpRequest({
        hostname,
        port,
        method: 'POST',
        path: `/api/v1/connectors/sources/${id}/execute`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
      call.on('error', () => {})
      call.end(JSON.stringify(body))
      return call
    }
    const download = { entity: 'files', action: 'download', params: { file_id: '7' } }

    for (const body of [{ entity: 'notes', action: 'list' }, download]) {
      let call: ReturnType<typeof ask>
      const closed = upstreamClosed(() => call.destroy())
      call = ask(body)
      await closed
    }

    const endless = upstreamClosed((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const call = ask(download)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    call.destroy()
    await endless
    assert.ok(!fixture.log().includes('"level":"error"'))
    await fixture.logged(/"status":499,"broken_off":true/)
  })

  it('checks a connector with one cheap call', async () => {
    const check = async () => (await fixture.call('POST', `${connectors}/${id}/check`, { token })).body
    fixture.answer = (_request, response) => json(response, 200, { data: [], next: null })
    assert.deepEqual(await check(), { status: 'healthy', checked: { entity: 'notes', action: 'list' } })
    assert.deepEqual(
      fixture.received.map(({ url }) => url),
      ['/notes?limit=1'],
    )
    fixture.answer = (_request, response) => json(response, 400, { error: 'odd' })
    const { error, ...rest } = await check()
    assert.deepEqual(rest, { status: 'unhealthy', checked: { entity: 'notes', action: 'list' } })
    assert.equal(error.code, 'upstream_refused')
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'detail', 'title', 'upstream'])
  })

  it('shows in the status that credentials are rejected, until there are good ones', async () => {
    const own = await fixture.connect(token, { credentials: { token: 'bad' } })
    fixture.answer = ({ headers }, response) =>
      headers.authorization === 'Bearer bad'
        ? json(response, 401, { error: 'no' })
        : json(response, 200, { data: [], next: null })
    const run = () => fixture.execute(token, own, { entity: 'notes', action: 'list' })
    const refused = await run()
    assert.deepEqual([refused.status, refused.body.code], [424, 'reauthorization_required'])
    assert.equal(fixture.received.length, 1)
    assert.equal(await status(own), 'reauthorization_required')
    assert.equal((await run()).status, 424)
    const changed = await fixture.call('PATCH', `${connectors}/${own}`, {
      token,
      body: { credentials: { token: 'good' } },
    })
    assert.equal(changed.body.status, 'active')
    assert.equal((await run()).status, 200)
  })

  it('is active again when the third-party system changes its mind', async () => {
    const own = await fixture.connect(token)
    fixture.answer = (_request, response) => json(response, 401, { error: 'no' })
    await fixture.execute(token, own, { entity: 'notes', action: 'list' })
    assert.equal(await status(own), 'reauthorization_required')
    fixture.answer = (_request, response) => json(response, 200, { data: [], next: null })
    await fixture.execute(token, own, { entity: 'notes', action: 'list' })
    assert.equal(await status(own), 'active')
  })

  it('answers also when the status cannot be written, and writes it with the next call', async () => {
    const own = await fixture.connect(token)
    fixture.answer = (_request, response) => json(response, 401, { error: 'no' })
    const run = () => fixture.execute(token, own, { entity: 'notes', action: 'list' })
    await run()
    fixture.answer = (_request, response) => json(response, 200, { data: [], next: null })
    const { connectors: stored } = fixture.server.service.store
    const { setStatus } = stored
    Object.assign(stored, { setStatus: () => Promise.reject(new Error('busy')) })
    assert.equal((await run()).status, 200)
    assert.equal(await status(own), 'reauthorization_required')
    Object.assign(stored, { setStatus })
    assert.equal((await run()).status, 200)
    assert.equal(await status(own), 'active')
  })

  describe('with credentials that can be renewed', () => {
    const application = { client_id: 'app', client_secret: 'app-secret' }
    let current = 0
    let refreshes: string[] = []

    /** A system with rotating refresh tokens: each is good once, and only the newest access token works. */
    const rotating = (expiresIn: number) => (request: IncomingMessage, response: ServerResponse, body: string) => {
      if (request.url === '/token') {
        const given = new URLSearchParams(body).get('refresh_token')!
        refreshes.push(given)
        if (given !== `refresh-${current}`) return json(response, 400, { error: 'invalid_grant' })
        current++
        return json(response, 200, {
          access_token: `access-${current}`,
          refresh_token: `refresh-${current}`,
          expires_in: expiresIn,
        })
      }
      const good = request.headers.authorization === `Bearer access-${current}`
      return good ? json(response, 200, { data: [], next: null }) : json(response, 401, { error: 'expired' })
    }
    const list = (connectorId: string) => fixture.execute(token, connectorId, { entity: 'notes', action: 'list' })

    beforeEach(() => {
      current = 0
      refreshes = []
    })

    it('fifty callers at once share one renewal', async () => {
      fixture.answer = rotating(3600)
      const own = await fixture.connect(token, {
        credentials: { refresh_token: 'refresh-0', access_token: 'old', ...application },
      })
      const answers = await Promise.all(Array.from({ length: 50 }, () => list(own)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.deepEqual(refreshes, ['refresh-0'])
      assert.equal((await list(own)).status, 200)
      current = 5
      current = 1
      assert.deepEqual(refreshes, ['refresh-0'])
    })

    it('a missing access token, and one that is about to expire, are renewed ahead', async () => {
      fixture.answer = rotating(100)
      const own = await fixture.connect(token, { credentials: { refresh_token: 'refresh-0', ...application } })
      for (let call = 1; call <= 3; call++) assert.equal((await list(own)).status, 200)
      assert.deepEqual(refreshes, ['refresh-0', 'refresh-1', 'refresh-2'])
      assert.ok(
        fixture.received.every(
          ({ url, authorization }) => url === '/token' || authorization.startsWith('Bearer access-'),
        ),
      )
      assert.equal(await status(own), 'active')
    })

    it('a refused renewal shows in the status; one that fails in passing does not', async () => {
      const own = await fixture.connect(token, {
        credentials: { refresh_token: 'refresh-0', access_token: 'old', ...application },
      })
      const system = rotating(3600)
      fixture.answer = (request, response, body) =>
        request.url === '/token' ? json(response, 500, {}) : system(request, response, body)
      assert.equal((await list(own)).body.code, 'upstream_error')
      assert.equal(await status(own), 'active')
      current = 9
      fixture.answer = system
      const refused = await list(own)
      assert.equal(refused.body.code, 'reauthorization_required')
      assert.equal(await status(own), 'reauthorization_required')
    })

    it('a connector that changed hands meanwhile keeps its new credentials', async () => {
      const own = await fixture.connect(token, {
        credentials: { refresh_token: 'refresh-0', access_token: 'old', ...application },
      })
      const system = rotating(3600)
      fixture.answer = async (request, response, body) => {
        if (request.url !== '/token') return system(request, response, body)
        const credentials = { token: `access-${current + 1}` }
        await fixture.call('PATCH', `${connectors}/${own}`, { token, body: { credentials } })
        system(request, response, body)
      }
      await list(own)
      const { body } = await fixture.call('GET', `${connectors}/${own}`, { token })
      assert.equal(body.auth_method, 'token')
      assert.equal((await list(own)).status, 200)
      assert.equal(refreshes.length, 1)
    })
  })
})
