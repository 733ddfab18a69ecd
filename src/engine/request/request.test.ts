import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { refusal } from '../scripted-engine.suite.ts'
import { answerJson, fixedCredentials } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine builds requests', () => {
  it('puts params in the path, the query under their own or another name, or nowhere', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])))
    await engine.execute(
      call('orders', 'list', {
        'shop-id': '1/../2?x#y',
        'status.any': 'a&b',
        renamed: 'é',
        unsent: 'no',
        tags: ['a', 'b'],
      }),
    )
    assert.equal(
      system.requests[0]!.url,
      '/v1/shops/1%2F..%2F2%3Fx%23y/orders?status.any=a%26b&upstream_name=%C3%A9&tags=a%2Cb&limit=100&fields=id%2Ccount',
    )
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer secret-token')
  })

  it('encodes half a surrogate as the replacement character instead of failing', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])))
    await engine.execute(call('orders', 'list', { 'shop-id': 'a\ud800' }))
    assert.match(system.requests[0]!.url, /^\/v1\/shops\/a%EF%BF%BD\/orders/)
  })

  it('refuses what would step to another path, and sends nothing', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, {}))
    for (const step of ['', '.', '..']) {
      const error = await refusal(engine.execute(call('orders', 'get', { order_id: step })))
      assert.equal(error.code, 'invalid_params')
      assert.deepEqual(
        error.issues!.map(({ path }) => path),
        ['/params/order_id'],
      )
    }
    assert.equal(system.requests.length, 0)
  })

  it('keeps any text of a path param within its own step of the path', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, { id: '1' }))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%2e%2e', '..%2f', '...', '%')),
        async (text) => {
          fc.pre(!/^\.{0,2}$/.test(text))
          await engine.execute(call('orders', 'get', { order_id: text }))
          const [, base, path, step, ...more] = system.requests.at(-1)!.url.split('/')
          assert.deepEqual([base, path, decodeURIComponent(step!), more], ['v1', 'orders', text.toWellFormed(), []])
          assert.ok(!step!.includes('?'))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('writes whole numbers digit for digit into a body', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, { lines: [] }))
    await engine.execute(call('lines', 'list', { filter: { id: 9007199254740993n } }))
    assert.equal(system.requests[0]!.body, '{"filter":{"id":9007199254740993}}')
  })

  it('nests body params where the operation says', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, { lines: [] }))
    await engine.execute(call('lines', 'list', { filter: { ids: ['1'] }, deep: 'x' }))
    assert.deepEqual(JSON.parse(system.requests[0]!.body), {
      filter: { ids: ['1'] },
      options: { inner: { deep: 'x' } },
    })
    assert.equal(system.requests[0]!.method, 'POST')
  })

  it('signs with basic credentials when those were given', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])))
    const credentials = fixedCredentials({ key: 'k', key_secret: 's:ü' })
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.equal(system.requests[0]!.headers.authorization, `Basic ${Buffer.from('k:s:ü').toString('base64')}`)
  })
})
