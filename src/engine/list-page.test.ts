import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusal } from './scripted-engine.suite.ts'
import { answerJson } from './scripted-system.ts'
import { orders, shopBy } from './shop.suite.ts'

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

  it('counts pages where the system numbers them', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      answerJson(response, { files: [{ id: String(turn) }], paging: { pages: 3 } }),
    )
    const first = await engine.execute(call('files', 'list'))
    assert.deepEqual(first.connector_metadata, { next_page: '2' })
    let records = 0
    for await (const page of engine.pages(call('files', 'list', { page: 2 })))
      records += (page.result as unknown[]).length
    assert.equal(records, 2)
    assert.equal(system.requests.at(-1)!.url, '/v1/files?page=3&count=50')
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
