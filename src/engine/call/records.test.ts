import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldChoice } from '../../catalog/choose-fields.ts'
import { refusal } from '../scripted-engine.suite.ts'
import { answerJson } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine gives records their declared types', () => {
  it('turns number strings into numbers and keeps what the catalog does not list', async () => {
    const { engine, call } = await shopBy((_, __, response) =>
      answerJson(
        response,
        '{"data":[{"id":9007199254740993,"count":"0","price":"12.50","open":"true","note":"","parts":[{"value":"1e3"}],"other":9007199254740993,"__proto__":{"a":1}}]}',
      ),
    )
    const { result, connector_metadata } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    const [order] = result as Record<string, unknown>[]
    assert.equal(order!.id, '9007199254740993')
    assert.equal(order!.count, 0)
    assert.equal(order!.price, 12.5)
    assert.equal(order!.open, true)
    assert.equal(order!.note, '')
    assert.deepEqual(order!.parts, [{ value: 1000, name: null }])
    assert.equal(order!.other, 9007199254740993n)
    assert.equal(Object.getPrototypeOf(order), Object.prototype)
    assert.ok(Object.hasOwn(order!, '__proto__'))
    assert.deepEqual(connector_metadata, { after: null })
  })

  it('names values that cannot be what is declared, once per field, and gives null', async () => {
    const bad = { id: '7', count: '1;2', price: { x: 1 }, parts: [{ value: 'x' }, { value: 2 }] }
    const { engine, call } = await shopBy((_, __, response) =>
      answerJson(response, orders([{ id: '1' }, bad, { ...bad, id: '8' }])),
    )
    const { result, connector_metadata } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    const records = result as Record<string, unknown>[]
    assert.equal(records.length, 3)
    assert.equal(records[1]!.count, null)
    assert.equal(records[1]!.price, null)
    assert.deepEqual(records[1]!.parts, [
      { value: null, name: null },
      { value: 2, name: null },
    ])
    const warnings = connector_metadata.warnings!
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['/result/1/count', '/result/1/price', '/result/1/parts/0/value'],
    )
    assert.match(warnings[0]!.message, /record 7, and 1 more/)
    assert.ok(!JSON.stringify(warnings).includes('1;2'))
  })

  it('fills in null for absent fields that were asked for, and only for those', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    const narrowed = await engine.execute(
      call('orders', 'list', { 'shop-id': '1', fields: 'id,note,parts{value,name}' }),
    )
    assert.deepEqual(narrowed.result, [{ id: '1', note: null, parts: null }])
    assert.match(system.requests[0]!.url, /fields=id%2Cnote%2Cparts%7Bvalue%2Cname%7D/)
  })

  it('reads the selected fields however they are nested', async () => {
    const { engine, call } = await shopBy((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    const whole = { id: '1', parts: null, rows: null }
    for (const [fields, record] of [
      ['id,parts{a{note},b},rows.count', whole],
      [`id,parts${'{'.repeat(2000)}note${'}'.repeat(2000)},rows`, whole],
      ['id,parts}{note},rows', whole],
      ['id,parts{note,rows', { id: '1', parts: null }],
    ] as const)
      assert.deepEqual((await engine.execute(call('orders', 'list', { 'shop-id': '1', fields }))).result, [record])
  })

  it('asks for the fields that are chosen beside the params, and returns only these', async () => {
    const whole = { id: '1', count: 2, price: 3, parts: [{ value: 1, name: 'a' }], undeclared: 'x' }
    const { system, engine, call } = await shopBy((_, { url }, response) =>
      answerJson(response, url!.includes('/orders/') ? whole : orders([whole])),
    )
    const read = async (fields: FieldChoice, params: object = {}) => {
      const listed = call('orders', 'list', { 'shop-id': '1', ...params }, { fields })
      const { result } = await engine.execute(listed)
      const pages = await Array.fromAsync(engine.pages(listed), (page) => page.result)
      assert.deepEqual(pages, [result])
      const got = await engine.execute(call('orders', 'get', { order_id: '1' }, { fields }))
      assert.deepEqual([got.result], result)
      return { result, sent: new URLSearchParams(system.requests[0]!.url.split('?')[1]).get('fields') }
    }
    assert.deepEqual(await read({ select_fields: ['count', 'parts.name', 'undeclared', 'note'] }), {
      result: [{ count: 2, parts: [{ name: 'a' }], undeclared: 'x', note: null }],
      sent: 'count,parts{name},note',
    })
    system.requests.length = 0
    const { result, sent } = await read({ exclude_fields: ['count', 'parts.name', 'rows', 'extra'] })
    assert.deepEqual(result, [{ id: '1', price: 3, open: null, note: null, parts: [{ value: 1 }], undeclared: 'x' }])
    assert.equal(sent, 'id')
  })

  it('refuses chosen fields of another form, and sends nothing', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])))
    const fields = { select_fields: 'id' } as unknown as FieldChoice
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { fields })))
    assert.deepEqual([error.code, error.issues?.[0]?.path], ['invalid_params', '/select_fields'])
    assert.match(error.message, /select_fields must be/)
    assert.deepEqual(system.requests, [])
  })

  it('refuses an answer whose identifier is missing or no text', async () => {
    for (const broken of [{}, { id: null }, { id: { a: 1 } }]) {
      const { engine, call } = await shopBy((_, __, response) => answerJson(response, broken))
      const error = await refusal(engine.execute(call('orders', 'get', { order_id: '1' })))
      assert.equal(error.code, 'upstream_invalid_response')
    }
  })

  it('refuses an answer without its list', async () => {
    for (const broken of [{}, { data: null }, { data: {} }, [], 'text']) {
      const { engine, call } = await shopBy((_, __, response) => answerJson(response, JSON.stringify(broken)))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, 'upstream_invalid_response')
    }
  })
})
