import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type ErrorCode, errorKinds } from '../errors.ts'
import { type Answer, type Fixture, startFixture } from './fixture.suite.ts'
import { routes } from './routes.ts'
import { createTokens } from './tokens.ts'

const connectors = '/v1/integrations/connectors'

describe('bad input', () => {
  let fixture: Fixture
  let bearer: string
  let ann: string
  let bob: string
  let id: string

  before(async () => {
    fixture = await startFixture()
    bearer = await fixture.bearer()
    ann = await fixture.scoped('ann')
    bob = await fixture.scoped('bob')
    id = await fixture.connect(ann)
  })
  after(() => fixture.close())

  /** Judges that an answer is exactly a problem of this code. */
  function isProblem(answer: Answer, code: ErrorCode, path?: string): void {
    assert.equal(answer.body?.code, code, answer.text)
    assert.equal(answer.status, errorKinds[code].status)
    assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
    const { type, title, status, detail, request_id, ...rest } = answer.body
    assert.equal(type, `urn:conex:error:${code}`)
    assert.equal(title, errorKinds[code].title)
    assert.equal(status, answer.status)
    assert.match(detail, /^.{10,}[.?]$/s)
    assert.equal(request_id, answer.headers.get('x-request-id'))
    for (const name of Object.keys(rest))
      assert.ok(['code', 'errors', 'upstream', 'retry_after', 'existing_id'].includes(name), name)
    if (path !== undefined)
      assert.deepEqual(
        answer.body.errors?.map((issue: { path: string }) => issue.path),
        [path],
      )
  }

  const create = (body: unknown, token = bearer) => fixture.call('POST', connectors, { token, body })
  const whole = (changes: object) => ({
    external_user_id: 'ann',
    connector_type: 'field-notes',
    name: randomUUID(),
    credentials: { token: 'good' },
    ...changes,
  })

  it('an address that leads nowhere is not found', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/v1'],
      ['PUT', connectors],
      ['DELETE', '/healthz'],
      ['GET', '/v1/integrations/connectors/x/y/z'],
      ['GET', '/%zz'],
      ['GET', '/v1/integrations/connectors/%ff'],
      ['GET', `/v1/integrations/connectors/${'x'.repeat(300)}`],
      ['OPTIONS', connectors],
    ] as const)
      isProblem(await fixture.call(method, path, { token: bearer }), 'not_found')
  })

  it('no token, a broken one and one of another scheme are refused on every route that needs one', async () => {
    const forged = await createTokens([{ id: 'k1', secret: new Uint8Array(32) }], Date.now).issue({
      clientId: 'x',
      organizationId: fixture.server.organizationId,
      externalUserId: null,
    })
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${bearer.split('.')[1]}.`
    const given = [
      undefined,
      'Bearer',
      'Bearer ',
      `Basic ${bearer}`,
      bearer,
      'Bearer x.y.z',
      `Bearer ${forged.token}`,
      `Bearer ${unsigned}`,
    ]
    for (const { method, path, aliases = [], token } of routes) {
      if (token === 'none') continue
      for (const address of [path, ...aliases])
        for (const authorization of given) {
          const answer = await fixture.call(method, address.replace(':connector_id', id).replace(/:\w+/, 'asana'), {
            headers: authorization === undefined ? {} : { authorization },
          })
          isProblem(answer, 'unauthenticated')
          assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
        }
    }
  })

  it('an expired token is refused', async () => {
    let now = Date.now()
    const clock = { now: () => now, sleep: async () => {} }
    const other = await startFixture({}, { clock })
    const token = await other.bearer()
    assert.equal((await other.call('GET', connectors, { token })).status, 200)
    now += 15 * 60_000
    isProblem(await other.call('GET', connectors, { token }), 'unauthenticated')
    await other.close()
  })

  it('a scoped token is forbidden where a bearer token is needed', async () => {
    const body = { external_user_id: 'ann' }
    isProblem(await fixture.call('POST', '/api/v1/embedded/scoped-token', { token: ann, body }), 'forbidden')
    isProblem(await create(whole({ external_user_id: 'bob' }), ann), 'forbidden')
  })

  it("another end user's connector cannot be told from one that does not exist", async () => {
    for (const { method, path, aliases = [] } of routes) {
      for (const address of [path, ...aliases]) {
        if (!address.includes(':connector_id')) continue
        const ask = (connectorId: string) =>
          fixture.call(method, address.replace(':connector_id', connectorId), {
            token: bob,
            ...(method !== 'GET' &&
              method !== 'DELETE' && {
                body: path.endsWith('execute') ? { entity: 'notes', action: 'list' } : { name: 'x' },
              }),
            headers: { 'x-request-id': 'same' },
          })
        const answers = [await ask(id), await ask(randomUUID()), await ask('no-id-at-all')]
        for (const answer of answers) isProblem(answer, 'not_found')
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      }
    }
    assert.equal((await fixture.call('GET', `${connectors}/${id}`, { token: ann })).status, 200)
    assert.deepEqual(fixture.received, [])
  })

  it('a body that is not JSON is refused in every route that takes one', async () => {
    for (const { method, path, aliases = [] } of routes) {
      if (method !== 'POST' && method !== 'PATCH') continue
      for (const address of [path, ...aliases])
        for (const body of [
          '{"a":',
          '{"a":1,"a":2}',
          '{"a":{"__proto__":{}}}',
          '{"\\u005f_proto__":1}',
          '['.repeat(100_000),
          new Uint8Array([0x7b, 0xff, 0x7d]),
        ])
          isProblem(
            await fixture.call(method, address.replace(':connector_id', id), { token: bearer, body }),
            'invalid_json',
          )
    }
  })

  it('a dangerous or repeated key stops a creation before anything happens', async () => {
    const text = JSON.stringify(whole({ name: 'never' }))
    for (const body of [
      text.replace('{', '{"external_user_id":"bob",'),
      text.replace('"token":', '"__proto__":{"x":1},"token":'),
      text.replace('"token":"good"', '"token":"good","tok\\u0065n":"other"'),
    ])
      isProblem(await create(body), 'invalid_json')
    const { body } = await fixture.call('GET', connectors, { token: bearer })
    assert.ok(body.connectors.every(({ name }: { name: string }) => name !== 'never'))
    isProblem(await create(whole({ constructor: { prototype: {} } })), 'invalid_request', '/constructor')
  })

  it('a body over 1 MiB is too large, whether its length is told or not', async () => {
    const big = JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) })
    isProblem(await fixture.execute(ann, id, big), 'payload_too_large')
    const response = await fetch(`${fixture.server.origin}${connectors}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann}`, 'content-type': 'application/json' },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    assert.equal(response.status, 413)
    assert.equal(((await response.json()) as { code: string }).code, 'payload_too_large')
    const fits = JSON.stringify({ entity: 'notes', action: 'list', params: { x: 'x'.repeat(1_000_000) } })
    isProblem(await fixture.execute(ann, id, fits), 'invalid_params')
  })

  it('a body of another type, in another charset or compressed is not supported', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'nonsense' },
    ])
      isProblem(await fixture.call('POST', connectors, { token: ann, body: '{}', headers }), 'unsupported_media_type')
    const utf8 = { 'content-type': 'application/json;charset=UTF-8' }
    isProblem(await fixture.call('POST', connectors, { token: ann, body: '{}', headers: utf8 }), 'invalid_request')
  })

  it('a body that is missing or not an object does not fit', async () => {
    for (const body of [undefined, '', 'null', '[]', '"text"', '1', 'true'])
      isProblem(await create(body), 'invalid_request')
  })

  it('each fault of a creation is told with its path', async () => {
    for (const [changes, path] of [
      [{ name: undefined }, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 7 }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ name: 'x'.repeat(256) }, '/name'],
      [{ external_user_id: undefined }, '/external_user_id'],
      [{ external_user_id: null }, '/external_user_id'],
      [{ external_user_id: '' }, '/external_user_id'],
      [{ connector_type: undefined }, '/connector_type'],
      [{ connector_type: 'feild-notes' }, '/connector_type'],
      [{ definition_id: fixtureId('chat-log') }, '/definition_id'],
      [{ workspace_name: 'bob' }, '/workspace_name'],
      [{ workspace_name: 'ann', customer_name: 'eve' }, '/customer_name'],
      [{ credentials: undefined }, '/credentials'],
      [{ server_side_oauth_secret_id: 'x' }, '/credentials'],
      [{ replication_config: {} }, '/replication_config'],
      [{ connector_type: 'chat-log' }, '/replication_config'],
      [
        { connector_type: 'chat-log', replication_config: { lookback_window: 366 } },
        '/replication_config/lookback_window',
      ],
      [
        { connector_type: 'chat-log', replication_config: { lookback_window: '3' } },
        '/replication_config/lookback_window',
      ],
      [{ connector_type: 'chat-log', replication_config: {} }, '/replication_config/lookback_window'],
      [{ sync: { enabled: 'no' } }, '/sync/enabled'],
      [{ sync: { interval_seconds: 59 } }, '/sync/interval_seconds'],
      [{ sync: { interval_seconds: 60.5 } }, '/sync/interval_seconds'],
      [{ sync: { every: 60 } }, '/sync/every'],
      [{ sync: null }, '/sync'],
      [{ nmae: 'x' }, '/nmae'],
    ] as const)
      isProblem(await create(whole(changes)), 'invalid_request', path)
    isProblem(await create(whole({ credentials: undefined, server_side_oauth_secret_id: 'unknown' })), 'not_found')
  })

  it('credentials with more fields than any method has are refused without a look at each', async () => {
    for (const count of [101, 40_000]) {
      const credentials = Object.fromEntries(Array.from({ length: count }, (_, index) => [`token${index}`, 'canary']))
      const answer = await create(whole({ credentials }))
      isProblem(answer, 'invalid_credentials', '/credentials')
      assert.ok(!answer.text.includes('canary'))
    }
  })

  it('a long name that is not known is repeated in part, and whole letters of it', async () => {
    const answer = await fixture.execute(ann, id, { entity: `x${'😀'.repeat(100)}`, action: 'list' })
    isProblem(answer, 'unknown_entity', '/entity')
    assert.ok(answer.text.isWellFormed())
    assert.ok(answer.body.detail.isWellFormed(), answer.body.detail)
  })

  it('each fault of credentials is told by field, never by value', async () => {
    for (const [credentials, path] of [
      [{}, '/credentials/refresh_token'],
      [{ token: '' }, '/credentials/token'],
      [{ token: 7 }, '/credentials/token'],
      [{ token: 'canary\n' }, '/credentials/token'],
      [{ token: 'canary\r\nX-Evil: 1' }, '/credentials/token'],
      [{ token: 'canary ключ' }, '/credentials/token'],
      [{ token: 'canary', refresh_token: 'canary' }, undefined],
      [{ token: 'canary', tokne: 'canary' }, '/credentials/tokne'],
      [{ refresh_token: 'canary', client_id: 'canary' }, '/credentials/client_secret'],
      [{ refresh_token: 'canary', access_token: ['canary'] }, '/credentials/access_token'],
      [[], '/credentials'],
      [{ token: { deep: 'canary' } }, '/credentials/token'],
    ] as const) {
      for (const answer of [
        await create(whole({ credentials })),
        await fixture.call('PATCH', `${connectors}/${id}`, { token: ann, body: { credentials } }),
      ]) {
        isProblem(answer, Array.isArray(credentials) ? 'invalid_request' : 'invalid_credentials', path)
        assert.ok(!answer.text.includes('canary'), answer.text)
      }
    }
  })

  it('each fault of a change is told with its path', async () => {
    const change = (body: unknown) => fixture.call('PATCH', `${connectors}/${id}`, { token: ann, body })
    isProblem(await change({}), 'invalid_request')
    isProblem(await change({ external_user_id: 'bob' }), 'invalid_request', '/external_user_id')
    isProblem(await change({ name: null }), 'invalid_request', '/name')
    isProblem(await change({ sync: { interval_seconds: 0 } }), 'invalid_request', '/sync/interval_seconds')
  })

  it('each fault of a query is told with its path', async () => {
    for (const [query, path] of [
      ['limit=0', '/limit'],
      ['limit=1001', '/limit'],
      ['limit=1.5', '/limit'],
      ['limit=-1', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['connector_type=nothing', '/connector_type'],
      ['external_user_id=', '/external_user_id'],
      ['external_user_id=ann&customer_name=bob', '/customer_name'],
      ['conector_type=field-notes', '/conector_type'],
      ['__proto__=x', '/__proto__'],
    ])
      isProblem(await fixture.call('GET', `${connectors}?${query}`, { token: bearer }), 'invalid_request', path)
    for (const cursor of ['x', 'AAAA', Buffer.from("' or 1=1").toString('base64url')])
      isProblem(
        await fixture.call('GET', `${connectors}?cursor=${cursor}`, { token: bearer }),
        'invalid_cursor',
        '/cursor',
      )
    isProblem(
      await fixture.call('GET', '/api/v1/connectors/connectors_for_user', { token: bearer }),
      'invalid_request',
      '/external_user_id',
    )
  })

  it('an operation that does not exist or does not fit reaches no third-party system', async () => {
    const run = (body: object) => fixture.execute(ann, id, body)
    isProblem(await run({ entity: 'notse', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: '__proto__', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: 'constructor', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: 'notes', action: 'delete' }), 'unknown_action', '/action')
    isProblem(await run({ entity: 'notes', action: 'download' }), 'unknown_action', '/action')
    isProblem(await run({ entity: 'notes', action: 'list', params: { limti: 1 } }), 'invalid_params', '/params/limti')
    isProblem(await run({ entity: 'notes', action: 'list', params: { limit: '1' } }), 'invalid_params', '/params/limit')
    isProblem(await run({ entity: 'notes', action: 'list', params: [] }), 'invalid_params')
    isProblem(await run({ entity: 'notes', action: 'get' }), 'invalid_params', '/params/note_id')
    isProblem(await run({ entity: 'notes', action: 'search', params: { query: {} } }), 'search_unavailable')
    isProblem(await run({ entity: 'notes' }), 'invalid_request', '/action')
    isProblem(await run({ entity: ['notes'], action: 'list' }), 'invalid_request', '/entity')
    isProblem(await run({ entity: 'notes', action: 'list', parms: {} }), 'invalid_request', '/parms')
    assert.deepEqual(fixture.received, [])
  })

  it('what is not HTTP is answered as a problem too', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const socket = connect(Number(new URL(fixture.server.origin).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      let answer = ''
      socket.on('data', (part) => {
        answer += part
      })
      await once(socket, 'close')
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, text.slice(0, 80))
      if (!answer.includes('problem+json')) continue
      const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      assert.equal(errorKinds[problem.code as ErrorCode].status, problem.status)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${problem.status} `))
    }
  })

  it('a request id is the caller’s own when it can stand in a log, and a new one otherwise', async () => {
    const ask = async (given: string) =>
      (await fixture.call('GET', '/healthz', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
    assert.equal(await ask('Order-7.b_c'), 'Order-7.b_c')
    for (const odd of ['', 'a b', 'x'.repeat(65), 'a"b', 'é'])
      assert.match((await ask(odd))!, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  })

  it('none of it was a defect', () => {
    assert.ok(!fixture.log().includes('"level":"error"'))
  })

  const fixtureId = (kind: string) => fixture.server.service.catalog[kind]!.definitionId
})

describe('the rate limit', () => {
  it('is per client, told in every answer, and says how long to wait', async () => {
    const fixture = await startFixture({ rateLimitPerMinute: 5 })
    const token = await fixture.bearer()
    for (let left = 4; left >= 0; left--) {
      const answer = await fixture.call('GET', connectors, { token })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit-remaining'), String(left))
    }
    const limited = await fixture.call('GET', connectors, { token: await fixture.scoped('ann') })
    assert.equal(limited.status, 429)
    assert.equal(limited.body.code, 'rate_limited')
    assert.ok(limited.body.retry_after >= 1 && limited.body.retry_after <= 60)
    assert.equal(limited.headers.get('retry-after'), String(limited.body.retry_after))
    assert.equal((await fixture.call('GET', connectors)).status, 401)
    assert.equal((await fixture.call('GET', '/healthz')).status, 200)
    await fixture.close()
  })

  it('holds requests for tokens tighter, and can be switched off', async () => {
    const guarded = await startFixture({ rateLimitPerMinute: 0, tokenRateLimitPerMinute: 2 })
    const body = { client_id: 'x', client_secret: 'y' }
    const guess = () => guarded.call('POST', '/api/v1/account/applications/token', { body })
    assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [401, 401, 429])
    const token = await guarded.bearer()
    assert.equal((await guarded.call('GET', connectors, { token })).headers.get('ratelimit-limit'), null)
    await guarded.close()
    const open = await startFixture({ rateLimitPerMinute: 0, tokenRateLimitPerMinute: 0 })
    assert.equal((await open.call('POST', '/api/v1/account/applications/token', { body })).status, 401)
    await open.close()
  })
})
