import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { integer, optional, text } from '../../catalog/fields.ts'
import { timePaging } from '../../catalog/paging.ts'
import type { Params } from '../../catalog/rules.ts'
import { ConexError } from '../../errors.ts'
import type { Page } from './page.ts'
import { identityIn } from './progress.ts'
import { timePage } from './time.ts'

const size = 10

const paging = timePaging({
  params: { limit: optional(integer()), offset: optional(text()) },
  limit: 'limit',
  offset: 'offset',
  size,
  time: { field: 'at', before: 'at.before', after: 'at.after' },
  sort: { param: 'sort_by', byTime: 'at', ascending: 'ascending' },
  cutWarning: 'There may be more.',
  blockName: 'next_page',
})

const identity = identityIn({ properties: { gid: { 'x-identifier': true } } })

interface Row {
  readonly gid: string
  readonly at: string
}

/** A system that sorts by time and filters on it, but never pages. Equal times come in an order that changes from call to call. */
function system(rows: readonly Row[], inclusive: boolean) {
  const asked: Params[] = []
  const fetch = async (params: Params) => {
    asked.push(params)
    const before = params['at.before'] === undefined ? null : Date.parse(String(params['at.before']))
    const after = params['at.after'] === undefined ? null : Date.parse(String(params['at.after']))
    const turn = asked.length % 2 === 0 ? 1 : -1
    const direction = params.ascending === true ? 1 : -1
    const records = rows
      .filter(({ at }) => {
        const time = Date.parse(at)
        const early = before === null || time < before || (inclusive && time === before)
        const late = after === null || time > after || (inclusive && time === after)
        return early && late
      })
      .sort((a, b) => direction * (Date.parse(a.at) - Date.parse(b.at)) || turn * (Number(a.gid) - Number(b.gid)))
      .slice(0, Number(params.limit))
    return { body: {}, records: structuredClone(records) }
  }
  return { asked, fetch }
}

async function walk(
  rows: readonly Row[],
  inclusive: boolean,
  params: Params,
): Promise<{ gids: string[]; pages: Page[] }> {
  const { fetch } = system(rows, inclusive)
  const gids: string[] = []
  const pages: Page[] = []
  for (let next: Params | null = params; next !== null; ) {
    const page: Page = await timePage(paging, identity, next, fetch)
    assert.ok(page.records.length <= Number(params.limit ?? size))
    gids.push(...page.records.map((record) => (record as Row).gid))
    pages.push(page)
    assert.ok(pages.length <= rows.length * 2 + 3, 'the walk does not end')
    next = page.next
  }
  return { gids, pages }
}

const start = Date.UTC(2026, 2, 1)

/** Rows of which fewer share a millisecond than an answer shows. */
const crowds = fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 12 }).map((counts) =>
  counts
    .flatMap((count, millisecond) => Array.from({ length: count }, () => start + millisecond))
    .map((time, index) => ({
      gid: String(index + 1),
      at: new Date(time).toISOString(),
    })),
)

describe('a list that pages by time', () => {
  it('gives every record exactly once and in order, whatever shares a millisecond and however bounds count', async () => {
    await fc.assert(
      fc.asyncProperty(
        crowds,
        fc.integer({ min: 1, max: size }),
        fc.boolean(),
        fc.boolean(),
        async (rows, limit, ascending, inclusive) => {
          const { gids, pages } = await walk(rows, inclusive, { limit, ascending })
          assert.deepEqual([...gids].sort(), rows.map(({ gid }) => gid).sort())
          const times = gids.map((gid) => Date.parse(rows[Number(gid) - 1]!.at))
          assert.deepEqual(
            times,
            [...times].sort((a, b) => (ascending ? a - b : b - a)),
          )
          assert.ok(pages.every(({ warnings }) => warnings === undefined))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('stays within the bounds that the caller gave', async () => {
    await fc.assert(
      fc.asyncProperty(crowds, fc.integer({ min: -2, max: 14 }), fc.boolean(), async (rows, edge, ascending) => {
        const bound = new Date(start + edge).toISOString()
        for (const [name, kept] of [
          ['at.before', (row: Row) => row.at < bound],
          ['at.after', (row: Row) => row.at > bound],
        ] as const) {
          const { gids } = await walk(rows, false, { limit: 3, ascending, [name]: bound })
          assert.deepEqual(
            [...gids].sort(),
            rows
              .filter(kept)
              .map(({ gid }) => gid)
              .sort(),
          )
        }
      }),
    )
  })

  it('says so when one millisecond holds more than an answer, and goes on behind it', async () => {
    const rows = Array.from({ length: 3 * size }, (_, index) => ({
      gid: String(index),
      at: new Date(start + (index < 25 ? 5 : 4)).toISOString(),
    }))
    const fixed = { fetch: async (params: Params) => ({ body: {}, records: visible(params) }) }
    const visible = (params: Params) =>
      rows
        .filter(({ at }) => params['at.before'] === undefined || at < String(params['at.before']))
        .slice(0, Number(params.limit))
    const seen: string[] = []
    const warnings: unknown[] = []
    for (let next: Params | null = {}; next !== null; ) {
      const page: Page = await timePage(paging, identity, next, fixed.fetch)
      seen.push(...page.records.map((record) => (record as Row).gid))
      warnings.push(...(page.warnings ?? []))
      next = page.next
    }
    assert.equal(new Set(seen).size, seen.length)
    for (const { gid } of rows.slice(25)) assert.ok(seen.includes(gid))
    assert.deepEqual(warnings, [{ path: '/result', message: 'There may be more.' }])
  })

  it('leaves out what was made after the walk began', async () => {
    const rows: Row[] = Array.from({ length: 12 }, (_, index) => ({
      gid: String(index),
      at: new Date(start + index).toISOString(),
    }))
    const first = await timePage(paging, identity, { limit: 5 }, system(rows, true).fetch)
    const grown = [
      ...rows,
      { gid: 'new', at: new Date(start + 8).toISOString() },
      { gid: 'newest', at: new Date(start + 90).toISOString() },
    ]
    const second = await timePage(paging, identity, { ...first.next }, system(grown, true).fetch)
    assert.deepEqual(
      second.records.map((record) => (record as Row).gid),
      ['6', '5', '4', '3', '2'],
    )
  })

  it('ends with a warning when its records have no usable time', async () => {
    for (const at of [undefined, null, 'soon', 5, { toString: 1 }, '+275760-09-13T00:00:00.000Z']) {
      const fetch = async () => ({
        body: {},
        records: [
          { gid: '1', at },
          { gid: '2', at },
        ],
      })
      const page = await timePage(paging, identity, { limit: 1 }, fetch)
      assert.equal(page.next, null)
      assert.equal(page.warnings?.length, 1)
    }
  })

  it('asks for no offset and no other order than its own', async () => {
    const { fetch, asked } = system([], false)
    await timePage(paging, identity, { limit: 3, text: 'x' }, fetch)
    assert.deepEqual(asked, [{ text: 'x', sort_by: 'at', limit: size }])
  })
})

describe('an order that cannot be continued', () => {
  const rows = Array.from({ length: size }, (_, index) => ({ gid: String(index), at: new Date(start).toISOString() }))

  it('gives one page, and says when it was cut', async () => {
    const page = async (limit: number | undefined, count: number) =>
      timePage(
        paging,
        identity,
        { sort_by: 'likes', ...(limit === undefined ? {} : { limit }) },
        system(rows.slice(0, count), false).fetch,
      )
    for (const [limit, count, cut] of [
      [3, 4, true],
      [3, 3, false],
      [undefined, size, true],
      [undefined, size - 1, false],
    ] as const) {
      const { records, next, block, warnings } = await page(limit, count)
      assert.equal(records.length, Math.min(limit ?? size, count))
      assert.deepEqual([next, block, warnings !== undefined], [null, { next_page: null }, cut])
    }
  })

  it('refuses an offset', async () => {
    const { fetch, asked } = system(rows, false)
    await assert.rejects(timePage(paging, identity, { sort_by: 'likes', offset: 'x' }, fetch), {
      code: 'invalid_cursor',
    })
    assert.deepEqual(asked, [])
  })
})

describe('a page token of our own', () => {
  const rows = Array.from({ length: 8 }, (_, index) => ({
    gid: String(index),
    at: new Date(start + index).toISOString(),
  }))
  const offsetOf = async (params: Params): Promise<string> =>
    String((await timePage(paging, identity, { limit: 2, ...params }, system(rows, false).fetch)).next!.offset)

  const refused = async (params: Params): Promise<void> => {
    const { fetch, asked } = system(rows, false)
    await assert.rejects(timePage(paging, identity, params, fetch), (error) => {
      assert.ok(error instanceof ConexError)
      assert.equal(error.code, 'invalid_cursor')
      return true
    })
    assert.deepEqual(asked, [], 'nothing is sent')
  }

  it('works with another limit and with params in another order', async () => {
    const offset = await offsetOf({ a: '1', b: '2' })
    const page = await timePage(paging, identity, { b: '2', a: '1', limit: 5, offset }, system(rows, false).fetch)
    assert.equal(page.records.length, 5)
  })

  it('is refused with other params', async () => {
    const offset = await offsetOf({ text: 'a' })
    for (const params of [{ text: 'b' }, {}, { text: 'a', more: '1' }, { text: 'a', ascending: true }])
      await refused({ ...params, offset })
  })

  it('is refused when any of its characters was changed, left out or added', async () => {
    const offset = await offsetOf({})
    await fc.assert(
      fc.asyncProperty(fc.nat(offset.length - 1), fc.constantFrom(...'AZaz09-_ =!é'), async (place, character) => {
        if (offset[place] !== character)
          await refused({ offset: offset.slice(0, place) + character + offset.slice(place + 1) })
        await refused({ offset: offset.slice(0, place) })
        await refused({ offset: `${offset.slice(0, place)}${character}${offset.slice(place)}` })
      }),
    )
    await refused({ offset: `${offset}=` })
    await refused({ offset: `${offset}!` })
  })

  it('is refused when it is anything else', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const deep = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000)).toString('base64url')
    for (const offset of ['', 'x', encode(null), encode([]), encode([1, 'x', [1, []]]), encode({ length: 4 }), deep])
      await refused({ offset })
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary' }), (offset) => refused({ offset })))
  })
})
