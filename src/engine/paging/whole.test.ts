import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { integer, optional, text } from '../../catalog/fields.ts'
import { wholePaging } from '../../catalog/paging.ts'
import type { Params } from '../../catalog/rules.ts'
import type { Page } from './page.ts'
import { identityIn } from './progress.ts'
import { wholePage } from './whole.ts'

const paging = wholePaging({
  params: { limit: optional(integer()), offset: optional(text()) },
  limit: 'limit',
  offset: 'offset',
  cut: { at: 50, warning: 'The system cuts here.' },
  blockName: 'next_page',
})

const identity = identityIn({ properties: { gid: { 'x-identifier': true } } })

const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ gid: String(from + index) }))

function system(records: readonly unknown[]) {
  const asked: Params[] = []
  return {
    asked,
    fetch: async (params: Params) => {
      asked.push(params)
      return { body: {}, records: structuredClone(records) as unknown[] }
    },
  }
}

describe('a list that the system gives only as a whole', () => {
  it('gives every record exactly once and in order, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 70 }), async (count, limit) => {
        const { fetch, asked } = system(rows(count))
        const gids: unknown[] = []
        for (let next: Params | null = { limit, team: 't' }; next !== null; ) {
          const page: Page = await wholePage(paging, identity, next, fetch)
          gids.push(...page.records.map((record) => (record as { gid: string }).gid))
          assert.equal(page.block.next_page === null, page.next === null)
          next = page.next
        }
        assert.deepEqual(
          gids,
          rows(count).map(({ gid }) => gid),
        )
        assert.equal(asked.length, Math.max(1, Math.ceil(count / limit)))
        for (const params of asked) assert.deepEqual(params, { team: 't' })
      }),
    )
  })

  it('comes in one page when no limit is given', async () => {
    const page = await wholePage(paging, identity, {}, system(rows(30)).fetch)
    assert.equal(page.records.length, 30)
    assert.deepEqual(page.block, { next_page: null })
  })

  it('goes on behind the record at which the page before ended, wherever that stands now', async () => {
    const first = await wholePage(paging, identity, { limit: 2 }, system(rows(6)).fetch)
    const moved = await wholePage(paging, identity, { ...first.next }, system([{ gid: 'new' }, ...rows(6)]).fetch)
    assert.deepEqual(moved.records, [{ gid: '2' }, { gid: '3' }])
  })

  it('says to start again when that record is gone', async () => {
    const first = await wholePage(paging, identity, { limit: 2 }, system(rows(6)).fetch)
    await assert.rejects(wholePage(paging, identity, { ...first.next }, system(rows(4, 2)).fetch), {
      code: 'invalid_cursor',
    })
  })

  it('refuses a token of another list, and sends nothing', async () => {
    const first = await wholePage(paging, identity, { limit: 2, team: 'a' }, system(rows(6)).fetch)
    const { fetch, asked } = system(rows(6))
    await assert.rejects(wholePage(paging, identity, { ...first.next, team: 'b' }, fetch), { code: 'invalid_cursor' })
    await assert.rejects(wholePage(paging, identity, { offset: 'x' }, fetch), { code: 'invalid_cursor' })
    assert.deepEqual(asked, [])
  })

  it('warns where the system cuts without a sign', async () => {
    assert.equal((await wholePage(paging, identity, {}, system(rows(49)).fetch)).warnings, undefined)
    assert.deepEqual((await wholePage(paging, identity, { limit: 1 }, system(rows(50)).fetch)).warnings, [
      { path: '/result', message: 'The system cuts here.' },
    ])
  })

  it('does not fail over identities that are none', async () => {
    for (const odd of [null, 5, 'x', {}, { gid: { toString: 1 } }, { gid: null }])
      assert.equal((await wholePage(paging, identity, { limit: 1 }, system([odd, odd]).fetch)).records.length, 1)
  })
})
