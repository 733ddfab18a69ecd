import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { refusal } from '../scripted-engine.suite.ts'
import { answerJson } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine repeats what may be repeated', () => {
  for (const status of [429, 502, 503, 504])
    it(`tries again after ${status}, three times at the most`, async () => {
      const { system, engine, call, clock } = await shopBy((_, __, response) => answerJson(response, '{}', status))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, status === 429 ? 'upstream_rate_limited' : 'upstream_error')
      assert.equal(system.requests.length, 4)
      assert.deepEqual(clock.slept, [500, 1000, 2000])
    })

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    const { engine, call, clock } = await shopBy((turn, _, response) => {
      if (turn === 0) return answerJson(response, '{}', 429, { 'retry-after': '2' })
      if (turn === 1) {
        const date = new Date(clock.now() + 5000).toUTCString()
        return answerJson(response, '{}', 429, { 'retry-after': date })
      }
      if (turn === 2) return answerJson(response, '{}', 429, { 'retry-after': new Date(0).toUTCString() })
      return answerJson(response, orders([]))
    })
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(clock.slept, [2000, 5000, 2000])
  })

  it('hands a wait beyond the ceiling to the caller at once', async () => {
    const { system, engine, call, clock } = await shopBy((_, __, response) =>
      answerJson(response, '{}', 429, { 'retry-after': '86400' }),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_rate_limited')
    assert.equal(error.retryAfter, 86400)
    assert.equal(system.requests.length, 1)
    assert.deepEqual(clock.slept, [])
  })

  it('reads a wait that the system tells in its own words', async () => {
    const { engine, call, clock } = await shopBy((turn, _, response) =>
      turn === 0 ? answerJson(response, { error: { code: 'slow_down' } }, 400) : answerJson(response, orders([])),
    )
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(clock.slept, [4000])
  })

  it('does not wait past its deadline', async () => {
    const { system, engine, call } = await shopBy(
      (_, __, response) => answerJson(response, '{}', 429, { 'retry-after': '20' }),
      {
        deadline: 15_000,
      },
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_rate_limited')
    assert.equal(error.retryAfter, 20)
    assert.equal(system.requests.length, 1)
  })

  it('uses the whole answer that follows a cut one', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) => {
      if (turn === 0) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '20000' })
        response.write('{"data":[{"id":"1"}')
        return void setImmediate(() => response.destroy())
      }
      if (turn === 1) return answerJson(response, '{"data":[{"id":"1"}')
      return answerJson(response, orders([{ id: '1' }]))
    })
    const { result } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.equal((result as unknown[]).length, 1)
    assert.equal(system.requests.length, 3)
  })

  it('does not repeat what the system refuses for good', async () => {
    for (const [status, code] of [
      [400, 'upstream_refused'],
      [401, 'reauthorization_required'],
      [402, 'upstream_plan_required'],
      [403, 'upstream_forbidden'],
      [404, 'upstream_refused'],
      [451, 'upstream_forbidden'],
      [500, 'upstream_error'],
    ] as const) {
      const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, '{}', status))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, code)
      assert.equal(error.upstream?.status, status)
      assert.equal(system.requests.length, 1)
    }
  })

  it('says so when the answer is HTML', async () => {
    const { engine, call } = await shopBy((_, __, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Sign in</title>')
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /under status 200 it is not JSON \(text\/html\)/)
    assert.deepEqual(error.upstream, { status: 200, code: null, message: 'text/html: Sign in' })
  })

  it('says so when there is nothing in it', async () => {
    const { engine, call } = await shopBy((_, __, response) => answerJson(response, ''))
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /under status 200 the body was empty \(application\/json\)/)
    assert.deepEqual(error.upstream, { status: 200, code: null, message: 'application/json' })
  })

  it('gives a refusal’s words in whatever form they come, without anybody’s credentials', async () => {
    const words = 'no such shop at /v1?access_token=SOMEBODYS&after=A'
    for (const [type, body] of [
      ['text/plain', words],
      ['text/html', `<html><head><title>${words}</title></head></html>`],
      ['application/json', JSON.stringify(words)],
      ['application/json', JSON.stringify({ message: words })],
      ['application/json', JSON.stringify([{ error: { detail: words } }])],
    ] as const) {
      const { engine, call } = await shopBy((_, __, response) => {
        response.writeHead(400, { 'content-type': type })
        response.end(body)
      })
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })), 'upstream_refused')
      assert.equal(error.upstream?.message, 'no such shop at /v1?access_token=•••&after=A')
      assert.ok(error.message.includes(error.upstream.message))
    }
    for (const body of ['null', '[]', '{}', '""']) {
      const { engine, call } = await shopBy((_, __, response) => answerJson(response, body, 400))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })), 'upstream_refused')
      assert.equal(error.upstream?.message, null)
    }
  })

  it('refuses an answer that nests more deeply than could be written again, at once', async () => {
    const nested = (levels: number) => `{"data":[{"id":"1","extra":${'['.repeat(levels)}${']'.repeat(levels)}}]}`
    for (const levels of [5_000, 200_000]) {
      const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, nested(levels)))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, 'upstream_invalid_response')
      assert.match(error.message, /nests too deeply/)
      assert.equal(system.requests.length, 1)
    }
  })

  it('reads answers of many pieces, also compressed, like those of one', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      id: String(index),
      note: 'é"\\'.repeat(20),
      price: '1.5',
    }))
    const { engine, call } = await shopBy((turn, _, response) => {
      const text = JSON.stringify(orders(rows))
      if (turn === 0) return answerJson(response, text)
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(text))
    })
    for (const _ of [1, 2]) {
      const { result } = await engine.execute(call('orders', 'list', { 'shop-id': '1', fields: 'id,note,price' }))
      assert.deepEqual(
        result,
        rows.map((row) => ({ ...row, price: 1.5 })),
      )
    }
  })

  it('refuses an answer larger than it reads', async () => {
    const { engine, call } = await shopBy(
      (_, __, response) => answerJson(response, orders([{ id: 'x'.repeat(5000) }])),
      {
        largestAnswer: 1024,
      },
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /larger than/)
  })
})

describe('the engine renews credentials', () => {
  it('once after a 401, and uses the new ones', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      turn === 0 ? answerJson(response, '{}', 401) : answerJson(response, orders([])),
    )
    const credentials = { current: async () => ({ token: 'old' }), renew: async () => ({ token: 'new' }) }
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.deepEqual(
      system.requests.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
  })

  it('again when a wait outlived them', async () => {
    const script = [401, 429, 401, 200]
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(response, orders([]), script[turn]!),
    )
    let token = 0
    const credentials = {
      current: async () => ({ token: `t${token}` }),
      renew: async () => ({ token: `t${++token}` }),
    }
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.deepEqual(
      system.requests.map(({ headers }) => headers.authorization),
      ['Bearer t0', 'Bearer t1', 'Bearer t1', 'Bearer t2'],
    )
  })

  it('and the renewal costs none of the repeats, which stay counted', async () => {
    const { system, clock, engine, call } = await shopBy((turn, _, response) =>
      answerJson(response, '{}', turn % 2 === 0 ? 401 : 503),
    )
    const credentials = { current: async () => ({ token: 'old' }), renew: async () => ({ token: 'new' }) }
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
    assert.equal(error.code, 'upstream_error')
    assert.equal(clock.slept.length, 3)
    assert.equal(system.requests.length, 8)
  })

  it('within the deadline, and not for a caller who has gone', async () => {
    const { engine, call } = await shopBy((_, __, response) => answerJson(response, '{}', 401), { deadline: 80 })
    const never = () => new Promise<never>(() => {})
    const stuck = { current: async () => ({ token: 'old' }), renew: never }
    const late = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials: stuck })))
    assert.equal(late.code, 'upstream_timeout')
    const caller = new AbortController()
    const credentials = { current: never, renew: never }
    const gone = engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials, signal: caller.signal }))
    caller.abort(new Error('the caller has gone'))
    await assert.rejects(gone, /the caller has gone/)
  })

  it('not a second time when the system still answers 401', async () => {
    let renewals = 0
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, '{}', 401))
    const credentials = {
      current: async () => ({ token: 'old' }),
      renew: async () => {
        renewals++
        return { token: 'new' }
      },
    }
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
    assert.equal(error.code, 'reauthorization_required')
    assert.equal(renewals, 1)
    assert.equal(system.requests.length, 2)
  })
})
