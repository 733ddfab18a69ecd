import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { id, integer, optional, text } from '../../catalog/fields.ts'
import { list } from '../../catalog/operation.ts'
import { type CursorPaging, cursorPaging } from '../../catalog/paging.ts'
import { ConexError } from '../../errors.ts'
import type { Query } from './page.ts'
import { everyPage, pageByStyle } from './paging.ts'

/** All pages of a scripted system, as its queries and its paging blocks. */
async function walk(paging: CursorPaging, answers: readonly (readonly [records: readonly object[], body: object])[]) {
  const operation = list({ description: 'Parts.', path: '/parts', recordsAt: [], record: { id: id() }, paging })
  const asked: Query[] = []
  const blocks: object[] = []
  const read = async (query: Query) => {
    const [records, body] = answers[asked.length]!
    asked.push(query)
    const page = await pageByStyle(operation, query, async () => ({ records, body }))
    blocks.push(page.block)
    return page
  }
  for await (const _ of everyPage(operation, {}, read));
  return { asked, blocks }
}

const byCount = cursorPaging({
  params: { offset: optional(integer()) },
  cursor: 'offset',
  next: ['offset'],
  more: ['hasMore'],
  counts: true,
  block: { name: 'next', holds: 'token', beside: { total: ['total'], link: ['paging', 'link'] } },
})

describe('pages that go on from a number of records', () => {
  it('go on while the system says so, with what else it tells', async () => {
    const { asked, blocks } = await walk(byCount, [
      [[{ id: '1' }], { offset: 1, hasMore: true, total: 2 }],
      [[{ id: '2' }], { offset: 2, hasMore: false, total: 2, paging: { link: 'x' } }],
    ])
    assert.deepEqual(asked, [{}, { offset: 1 }])
    assert.deepEqual(blocks, [
      { next: 1, total: 2, link: null },
      { next: null, total: 2, link: 'x' },
    ])
  })

  it('are refused without a number to go on from', async () => {
    for (const offset of [undefined, null, '1', 1.5, {}])
      await assert.rejects(walk(byCount, [[[{ id: '1' }], { offset, hasMore: true }]]), ConexError)
  })
})

const beyondLast = cursorPaging({
  params: { beyond: optional(text()) },
  cursor: 'beyond',
  next: ['next', 'after'],
  lastOf: 'id',
  block: { name: 'next', holds: 'token' },
})

describe('pages beyond the last record', () => {
  it('go on from its identifier, whatever token the system gives', async () => {
    const { asked, blocks } = await walk(beyondLast, [
      [[{ id: '1' }, { id: '7' }], { next: { after: '2' } }],
      [[{ id: '9' }], { next: { after: '2' } }],
      [[], {}],
    ])
    assert.deepEqual(asked, [{}, { beyond: '7' }, { beyond: '9' }])
    assert.deepEqual(blocks, [{ next: '7' }, { next: '9' }, { next: null }])
  })

  it('are refused where there is no such record to go on from', async () => {
    for (const records of [[], [{}], [{ id: null }]])
      await assert.rejects(walk(beyondLast, [[records, { next: { after: '2' } }]]), ConexError)
  })
})
