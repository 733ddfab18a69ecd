/** What numbers mean to every store, case by case. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { parseJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Json } from '../search/query.ts'
import { searchable } from './samples.suite.ts'
import { Searching } from './search-fixture.suite.ts'
import type { Store } from './store.ts'

/** Judges how a store searches numbers. `open` opens the same database each time, which is empty before the first time. */
export function searchNumbersSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`numbers searched in ${name}`, () => {
    let searching: Searching
    before(async () => {
      searching = await Searching.open(open)
    })
    after(() => searching.close())

    it('keeps every digit of whole numbers past 2^53', async () => {
      const numbers = [7782342274025937895n, 7782342274025937896n, 9007199254740993n]
      const copy = await searching.copyOf(
        numbers.map((serial, index) => ({
          id: String(index),
          data: { serial, gid: String(serial), tags: [{ gid: serial }] },
        })),
      )
      assert.deepEqual(await searching.ids(copy, { eq: { serial: 7782342274025937896n } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { eq: { gid: '7782342274025937896' } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { any: { tags: { eq: { gid: 9007199254740993n } } } }), ['2'])
      const { hits } = await searching.search(copy, { query: { sort: [{ serial: 'desc' }] } })
      assert.deepEqual(
        hits.map(({ data }) => data.serial),
        [numbers[1], numbers[0], numbers[2]],
      )
      const walked: unknown[] = []
      for (let cursor: string | null | undefined; cursor !== null && walked.length < 9; ) {
        const params = { query: { sort: [{ serial: 'asc' }] }, limit: 1, ...(cursor && { cursor }) }
        const page = await searching.search(copy, params)
        walked.push(...page.hits.map(({ data }) => data.serial))
        cursor = page.nextCursor
      }
      assert.deepEqual(walked, [numbers[2], numbers[0], numbers[1]])
    })

    it('gives whole numbers that came with an exponent the digits with which they are written', async () => {
      // As a system may write them, 9.2233720368547748e18 and so on.
      const numbers = [2 ** 63 - 1024, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 1e300]
      const copy = await searching.copyOf(
        numbers.map((serial, index) => ({ id: String(index), data: { serial, assignee: { serial } } })),
      )
      const { hits } = await searching.search(copy, { query: {} })
      assert.deepEqual(
        hits.map(({ data }) => data.serial),
        [9223372036854775000n, 9007199254740994n, null, null, null],
      )
      assert.deepEqual(
        hits.slice(0, 2).map(({ data }) => (data.assignee as { serial: unknown }).serial),
        [9223372036854775000n, 9007199254740994n],
      )
    })

    it('gives numbers inside objects digit for digit, and compares and sorts them as doubles', async () => {
      const sizes = ['2.50', '0.1234567890123456789', '1e400', '-0', '1.0', '25E-1', '1e-400', '-1e99999999', '3']
      sizes.push('123456789012345678.5', '1'.repeat(2000))
      const records = sizes.map((size, place) => ({
        id: String.fromCharCode(97 + place),
        data: { assignee: parseJson(`{"size":${size}}`), tags: parseJson(`[${size},{"size":${size}}]`) as Json },
      }))
      const copy = await searching.copyOf(records as Parameters<typeof searching.copyOf>[0])
      for (const fields of [{}, { fields: ['assignee', 'tags'] }, { fields: [['assignee', 'size'], ['tags']] }]) {
        const { hits } = await copy.search(parseQuery(searchable, { query: {}, ...fields }))
        for (const size of sizes)
          assert.ok(
            hits.toString().includes(`"assignee":{"size":${size}}`) &&
              hits.toString().includes(`[${size},{"size":${size}}]`),
            size,
          )
      }
      const ids = async (filter: object) => (await searching.ids(copy, filter)).join('')
      assert.equal(await ids({ eq: { 'assignee.size': 2.5 } }), 'af')
      assert.equal(await ids({ in: { 'assignee.size': [2.5, 0, 3] } }), 'adfgi')
      assert.equal(await ids({ eq: { 'assignee.size': 1 } }), 'e')
      assert.equal(await ids({ eq: { 'assignee.size': 0.12345678901234568 } }), 'b')
      assert.equal(await ids({ not: { eq: { 'assignee.size': 0 } } }), 'abcefhijk')
      assert.equal(await ids({ gt: { 'assignee.size': 2.5 } }), 'cijk')
      assert.equal(await ids({ lte: { 'assignee.size': 0 } }), 'dgh')
      assert.equal(await ids({ eq: { 'assignee.size': 123456789012345680n } }), 'j')
      assert.equal(await ids({ contains: { tags: 2.5 } }), 'af')
      assert.equal(await ids({ contains: { tags: { size: 1 } } }), 'e')
      assert.equal(await ids({ any: { tags: { eq: { size: 2.5 } } } }), 'af')
      assert.equal(await ids({ eq: { assignee: { size: 2.5 } } }), 'af')
      const { hits } = await searching.search(copy, { query: { sort: [{ 'assignee.size': 'asc' }] } })
      assert.equal(hits.map(({ id }) => id).join(''), 'hdgbeafijck')
    })

    it('compares whole numbers of up to a thousand digits', async () => {
      const long = 10n ** 999n
      const copy = await searching.copyOf(
        [long, -long, 7, 1.5e300].map((size, index) => ({
          id: String(index),
          data: { name: 'one', assignee: { size }, tags: [{ size }] },
        })),
      )
      assert.deepEqual(await searching.ids(copy, { gt: { 'assignee.size': 8 } }), ['0', '3'])
      assert.deepEqual(await searching.ids(copy, { lt: { 'assignee.size': 8 } }), ['1', '2'])
      assert.deepEqual(await searching.ids(copy, { lt: { 'assignee.size': long } }), ['1', '2', '3'])
      assert.deepEqual(await searching.ids(copy, { eq: { 'assignee.size': long } }), ['0'])
      assert.deepEqual(await searching.ids(copy, { not: { gte: { 'assignee.size': -long } } }), [])
      assert.deepEqual(await searching.ids(copy, { any: { tags: { gt: { size: 8 } } } }), ['0', '3'])
      assert.deepEqual(await searching.ids(copy, { contains: { tags: { size: -long } } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { gt: { serial: -long } }), [])
    })

    it('tells whole numbers past 2^53 apart also where hundreds of records have each of them', async () => {
      const serials = [2n ** 53n, 2n ** 53n + 1n]
      const copy = await searching.copyOf(
        Array.from({ length: 600 }, (_, index) => ({ id: String(index), data: { serial: serials[index % 2] } })),
      )
      const { hits } = await searching.search(copy, { query: { sort: [{ serial: 'desc' }] } })
      assert.deepEqual(
        hits.map(({ data }) => BigInt(data.serial as number)),
        [...Array(300).fill(serials[1]), ...Array(300).fill(serials[0])],
      )
    })
  })
}
