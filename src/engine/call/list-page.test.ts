import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ConexError } from '../../errors.ts'
import { refusal } from '../scripted-engine.suite.ts'
import { answerJson } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine pages', () => {
  it('gives the token only while the system says that there is more', async () => {
    const { engine, call } = await shopBy((turn, _, response) =>
      answerJson(
        response,
        orders([], { paging: { cursors: { after: 'B' }, ...(turn === 0 ? { next: 'https://x' } : {}) } }),
      ),
    )
    const first = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(first, { result: [], connector_metadata: { after: 'B' } })
    const second = await engine.execute(call('orders', 'list', { 'shop-id': '1', after: 'B' }))
    assert.deepEqual(second.connector_metadata, { after: null })
  })

  it('walks on over empty and short pages to the end', async () => {
    const pages = [[], [{ id: '1' }], [], [{ id: '2' }, { id: '3' }]]
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(
        response,
        orders(pages[turn]!, { paging: { cursors: { after: `t${turn}` }, ...(turn < 3 ? { next: 'x' } : {}) } }),
      ),
    )
    const ids: unknown[] = []
    for await (const page of engine.pages(call('orders', 'list', { 'shop-id': '1' })))
      for (const order of page.result as { id: string }[]) ids.push(order.id)
    assert.deepEqual(ids, ['1', '2', '3'])
    assert.equal(system.requests.length, 4)
    assert.match(system.requests[3]!.url, /after=t2/)
  })

  it('stops with an error when a page token comes again', async () => {
    const { system, engine, call } = await shopBy((_, __, response) =>
      answerJson(response, orders([{ id: '1' }], { paging: { cursors: { after: 'same' }, next: 'x' } })),
    )
    const walk = async () => {
      for await (const _ of engine.pages(call('orders', 'list', { 'shop-id': '1' })));
    }
    const error = await refusal(walk())
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /same page token twice/)
    assert.ok(system.requests.length <= 3)
  })

  it('stops with an error where fresh page tokens bring the same records again', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(
        response,
        orders([{ id: turn === 0 ? '1' : '2' }], { paging: { cursors: { after: `t${turn}` }, next: 'x' } }),
      ),
    )
    const error = await refusal(Array.fromAsync(engine.pages(call('orders', 'list', { 'shop-id': '1' }))))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /same records repeatedly/)
    assert.equal(system.requests.length, 5)
  })

  it('stops so inside one call as well', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(response, { lines: [{ id: '1' }], records: { cursor: `c${turn}` } }),
    )
    const error = await refusal(engine.execute(call('lines', 'list', { filter: {} })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.equal(system.requests.length, 4)
  })

  for (const [name, paging] of Object.entries({
    'a text where an object belongs': 'abc',
    'a list': [],
    'a cursor that is a number': { cursors: { after: 12345 }, next: 'x' },
    'a cursor that is an object': { cursors: { after: {} }, next: 'x' },
    'an empty cursor': { cursors: { after: '' }, next: 'x' },
    'an endless cursor': { cursors: { after: 'x'.repeat(100_000) }, next: 'x' },
    'no cursor, though there is more': { cursors: { after: null }, next: 'x' },
    'cursors that are a text': { cursors: 'abc', next: 'x' },
    'a sign of more that is none': { cursors: { after: 'B' }, next: { page: 2 } },
  }))
    it(`refuse what is no page token: ${name}`, async () => {
      const { system, engine, call } = await shopBy((_, __, response) =>
        answerJson(response, orders([{ id: '1' }], { paging })),
      )
      await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })), 'upstream_invalid_response')
      await refusal(
        Array.fromAsync(engine.pages(call('orders', 'list', { 'shop-id': '1' }))),
        'upstream_invalid_response',
      )
      assert.equal(system.requests.length, 2)
    })

  for (const paging of [undefined, null, {}, { cursors: null }, { cursors: { after: 'B' } }, { next: null }])
    it(`end where nothing tells of more: ${JSON.stringify(paging)}`, async () => {
      const { engine, call } = await shopBy((_, __, response) =>
        answerJson(response, orders([{ id: '1' }], { paging })),
      )
      const { connector_metadata } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
      assert.deepEqual(connector_metadata, { after: null })
    })

  for (const records of ['abc', [], { cursor: 7 }, { cursor: '' }, { cursor: {} }, { cursor: false }])
    it(`refuse what is no page token where a call walks them all: ${JSON.stringify(records)}`, async () => {
      const { engine, call } = await shopBy((_, __, response) =>
        answerJson(response, { lines: [{ id: '1' }], records }),
      )
      await refusal(engine.execute(call('lines', 'list', { filter: {} })), 'upstream_invalid_response')
    })

  it('take back every token that they hand out, as it is', async () => {
    let token: unknown
    const { system, engine, call } = await shopBy((_, __, response) =>
      answerJson(response, orders([], { paging: { cursors: { after: token }, next: 'x' } })),
    )
    const any = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 9000 }), fc.jsonValue())
    const property = fc.asyncProperty(any, async (given) => {
      token = given
      const first = await engine.execute(call('orders', 'list', { 'shop-id': '1' })).catch((error) => error)
      if (first instanceof ConexError) {
        assert.equal(first.code, 'upstream_invalid_response')
        return
      }
      const { after } = first.connector_metadata
      assert.equal(typeof after, 'string')
      await engine.execute(call('orders', 'list', { 'shop-id': '1', after }))
      assert.equal(new URL(system.requests.at(-1)!.url, 'http://x').searchParams.get('after'), after)
    })
    await fc.assert(property, { numRuns: 200 })
  })

  it('walks all pages inside one call where the list has no page params', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(response, {
        lines: [{ id: String(turn) }],
        records: { totalRecords: 3, ...(turn < 2 ? { cursor: `c${turn}` } : {}) },
      }),
    )
    const { result, connector_metadata } = await engine.execute(call('lines', 'list', { filter: {} }))
    assert.deepEqual(result, [{ id: '0' }, { id: '1' }, { id: '2' }])
    assert.deepEqual(connector_metadata.pagination, {
      totalRecords: 3,
      currentPageSize: 3,
      currentPageNumber: 0,
      cursor: null,
    })
    assert.deepEqual(JSON.parse(system.requests[2]!.body), { filter: {}, cursor: 'c1' })
  })

  it('asks for half as many records when a page is too much for the system', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      turn < 2 ? answerJson(response, { error: { code: 'too_much' } }, 400) : answerJson(response, orders([])),
    )
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(
      system.requests.map(({ url }) => /limit=(\d+)/.exec(url)![1]),
      ['100', '50', '25'],
    )
  })

  it('gives the refusal when one record is too much, since that has no smaller page', async () => {
    const { system, engine, call } = await shopBy((_, __, response) =>
      answerJson(response, { error: { code: 'too_much' } }, 400),
    )
    assert.equal((await refusal(engine.execute(call('orders', 'get', { order_id: '1' })))).code, 'upstream_refused')
    assert.equal(system.requests.length, 1)
  })

  it('gives the refusal when even the smallest page is too much', async () => {
    const { system, engine, call } = await shopBy((_, __, response) =>
      answerJson(response, { error: { code: 'too_much' } }, 400),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1', limit: 20 })))
    assert.equal(error.code, 'upstream_refused')
    assert.equal(system.requests.length, 2)
  })
})
