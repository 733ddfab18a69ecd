/** Bodies and requests that are refused before anybody asks what they say. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type ErrorCode, errorKinds } from '../errors.ts'
import { type Callers, creation, type Fixture, startWithCallers } from './fixture.suite.ts'
import { isProblem } from './problem.suite.ts'
import { routes } from './routes.ts'

const connectors = '/v1/integrations/connectors'

describe('a request that cannot be read', () => {
  let fixture: Fixture
  let bearer: string
  let ann: string
  let id: string
  let create: Callers['create']

  before(async () => {
    ;({ fixture, bearer, ann, id, create } = await startWithCallers())
  })
  after(() => fixture.close())

  it('a body that is not JSON is refused in every route that takes one', async () => {
    for (const { method, path, aliases = [], endpoint } of routes) {
      if ((method !== 'POST' && method !== 'PATCH') || endpoint.form !== undefined) continue
      for (const address of [path, ...aliases])
        for (const body of [
          '{"a":',
          '{"a":1,"a":2}',
          '{"a":{"__proto__":{}}}',
          '{"\\u005f_proto__":1}',
          '['.repeat(1_000),
          new Uint8Array([0x7b, 0xff, 0x7d]),
        ])
          isProblem(
            await fixture.call(method, address.replace(':connector_id', id), { token: bearer, body }),
            'invalid_json',
          )
    }
  })

  it('a dangerous or repeated key stops a creation before anything happens', async () => {
    const text = JSON.stringify(creation({ name: 'never' }))
    for (const body of [
      text.replace('{', '{"external_user_id":"bob",'),
      text.replace('"token":', '"__proto__":{"x":1},"token":'),
      text.replace('"token":"good"', '"token":"good","tok\\u0065n":"other"'),
    ])
      isProblem(await create(body), 'invalid_json')
    const { body } = await fixture.call('GET', connectors, { token: bearer })
    assert.ok(body.connectors.every(({ name }: { name: string }) => name !== 'never'))
    isProblem(await create(creation({ constructor: { prototype: {} } })), 'invalid_request', '/constructor')
  })

  it('a body larger than its route takes is refused, whether its length is told or not', async () => {
    for (const { method, path, endpoint } of routes) {
      if (method !== 'POST' && method !== 'PATCH') continue
      const limit = endpoint.largestBody ?? 4096
      const body = JSON.stringify({ a: 'x'.repeat(limit) })
      const address = path.replace(':connector_id', id)
      const type = endpoint.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
      const headers = { 'content-type': type }
      isProblem(await fixture.call(method, address, { token: bearer, body, headers }), 'payload_too_large')
      const response = await fetch(fixture.server.origin + address, {
        method,
        headers: { authorization: `Bearer ${bearer}`, ...headers },
        body: new Blob([body]).stream(),
        duplex: 'half',
      } as RequestInit)
      assert.equal(response.status, 413)
      assert.equal(((await response.json()) as { code: string }).code, 'payload_too_large')
    }
    const fits = JSON.stringify({ entity: 'notes', action: 'list', params: { x: 'x'.repeat(1_000_000) } })
    isProblem(await fixture.execute(ann, id, fits), 'invalid_params')
    const consent = { external_user_id: '\u0007'.repeat(255), connector_type: 'x', redirect_url: 'x' }
    isProblem(
      await fixture.call('POST', `${connectors}/oauth/initiate`, { token: bearer, body: consent }),
      'invalid_request',
    )
  })

  it('a body of more values than anything needs is refused before they are made', async () => {
    const wide = [
      `[${'[],'.repeat(300_000)}[]]`,
      `[${'{},'.repeat(300_000)}{}]`,
      `[${'1,'.repeat(500_000)}1]`,
      `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":0`)}}`,
    ]
    for (const params of wide)
      isProblem(
        await fixture.execute(ann, id, `{"entity":"notes","action":"list","params":${params}}`),
        'payload_too_large',
      )
    const many = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => String(at)))
    isProblem(
      await fixture.execute(ann, id, `{"entity":"notes","action":"list","params":{"x":${many}}}`),
      'invalid_params',
    )
  })

  it('large bodies of one caller that never end leave room for those of others', async (t) => {
    const { port } = new URL(fixture.server.origin)
    const half = (token: string) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(
        `POST /api/v1/connectors/sources/${id}/execute HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n"${'x'.repeat(1_000_000)}`,
      )
      return socket
    }
    const bob = await fixture.scoped('bob')
    const sockets = new Set<Socket>()
    let refusals = 0
    // Many may be refused at once, and so leave room; each is followed by another.
    const hold = () => {
      const socket = half(bob)
      sockets.add(socket)
      socket.once('data', (data) => {
        assert.match(String(data), /429[\s\S]*rate_limited/)
        refusals++
        socket.destroy()
      })
      socket.once('close', () => {
        if (sockets.delete(socket)) hold()
      })
    }
    const letGo = () => {
      const open = [...sockets]
      sockets.clear()
      for (const socket of open) socket.destroy()
    }
    t.after(letGo)
    for (let count = 0; count < 20; count++) hold()
    const large = { entity: 'notes', action: 'list', params: { x: 'x'.repeat(900_000) } }
    let answer = await fixture.execute(bob, id, large)
    while (answer.body.code !== 'rate_limited') answer = await fixture.execute(bob, id, large)
    isProblem(answer, 'rate_limited')
    assert.ok(refusals > 0)
    isProblem(await fixture.execute(ann, id, large), 'invalid_params')
    letGo()
    for (;;) {
      const { body } = await fixture.execute(bob, id, large)
      if (body.code === 'not_found') break
    }
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
})
