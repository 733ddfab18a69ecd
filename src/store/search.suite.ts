/** What every store finds, in searches that are each about something; random ones are in `search-agreement.suite.ts`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { ConexError } from '../errors.ts'
import { parseJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Hit, SearchRecord } from '../search/query.ts'
import { searchRecord } from '../search/record.ts'
import { searchRecords } from '../search/search-records.ts'
import type { ReadRecord } from './copy.ts'
import { at, Copy, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable } from './samples.suite.ts'
import { compareSearch, type SearchParams } from './search-agreement.suite.ts'
import type { Store } from './store.ts'

/** Judges the search of a store. `open` opens the same database each time, which is empty before the first time. */
export function searchSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`search in ${name}`, () => {
    let fixture: CopyFixture
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
    })
    after(() => fixture.close())

    /** A copy of these records. */
    const copyOf = async (records: readonly ReadRecord[]) => {
      const copy = await fixture.copy()
      await copy.begin()
      await copy.commit(records)
      return copy
    }

    const search = async (copy: Awaited<ReturnType<typeof copyOf>>, params: SearchParams) => {
      const found = await copy.search(parseQuery(searchable, params))
      return { hits: parseJson(found.hits) as Hit[], nextCursor: found.nextCursor }
    }

    const ids = async (copy: Awaited<ReturnType<typeof copyOf>>, filter: object): Promise<string[]> =>
      (await search(copy, { query: { filter } })).hits.map(({ id }) => id)

    const compare = (copy: Copy, kept: readonly SearchRecord[], params: SearchParams) =>
      compareSearch([copy], kept, params)

    it('finds the same along an order as from an index, among more records than a start may name', async () => {
      const records = Array.from({ length: 3000 }, (_, index) => ({
        id: String((index * 7919) % 3001),
        data: {
          name: index % 3 === 0 ? 'Launch plan' : index % 500 === 1 ? 'launch of the rocket' : null,
          serial: index % 7 === 0 ? null : index % 11,
          completed: index % 2 === 0,
          created_at: index % 5 === 0 ? null : at(index % 100),
          assignee: { gid: String(index % 4) },
        },
      }))
      const copy = await copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      const filters = [
        {},
        { eq: { completed: true } },
        { eq: { serial: null } },
        { gt: { serial: 3 }, lte: { serial: 9 } },
        { keyword: { name: 'launch' } },
        { keyword: { name: 'launch rocket' } },
        { like: { name: '%aun%' } },
        { fuzzy: { name: 'lau pl' } },
        { eq: { 'assignee.gid': '3' }, neq: { serial: 5 } },
        { or: [{ eq: { serial: 1 } }, { keyword: { name: 'rocket' } }] },
        { in: { serial: [1, 2, null] } },
        { gte: { created_at: at(50) } },
      ]
      const sorts = [
        [],
        [{ serial: 'asc' }],
        [{ serial: 'desc' }],
        [{ created_at: 'desc' }, { name: 'asc' }],
        [{ completed: 'desc' }, { created_at: 'asc' }],
      ]
      for (const filter of filters)
        for (const sort of sorts) {
          const query = { filter, sort }
          const whole = parseQuery(searchable, { query, limit: 10_000 })
          const expected = searchRecords(kept, copy.key, searchable, whole).hits.map(({ id, score }) => [id, score])
          const found: [string, number][] = []
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const page = await search(copy, { query, limit: 250, ...(cursor && { cursor }) })
            found.push(...page.hits.map(({ id, score }): [string, number] => [id, score]))
            cursor = page.nextCursor
          }
          assert.deepEqual(found, expected, JSON.stringify(query))
        }
    })

    it('keeps its place while records come, change and go: none twice, none missing of those that stay', async () => {
      const data = (name: string, serial: number | null) => ({ name, serial })
      const records = Array.from({ length: 60 }, (_, index) => ({
        id: `r${String(index).padStart(3, '0')}`,
        data: data('stays', index % 4 === 0 ? null : index % 7),
      }))
      for (const sort of [[], [{ serial: 'asc' }], [{ serial: 'desc' }]]) {
        const copy = await copyOf(records)
        const seen: string[] = []
        let cursor: string | undefined
        for (let page = 0; ; page++) {
          const params = { query: { filter: { like: { name: 'st%' } }, sort }, limit: 4, ...(cursor && { cursor }) }
          const found = await search(copy, params)
          seen.push(...found.hits.map(({ id }) => id))
          if (found.nextCursor === null) break
          cursor = found.nextCursor
          // Before and after the place, between the pages; among them the very record that the cursor stands on.
          await copy.commit(
            [
              { id: `a${page}`, data: data('new', 0) },
              { id: `r${String(page * 3).padStart(3, '0')}x`, data: data('new', page % 7) },
              { id: `z${page}`, data: data('new', null) },
            ],
            page % 2 === 0 ? [seen.at(-1)!] : [],
          )
        }
        assert.deepEqual([...new Set(seen)], seen)
        assert.deepEqual(seen.toSorted(), records.map(({ id }) => id).toSorted())
      }
    })

    it('refuses a cursor of another search, and takes it with another limit, other fields or keys in another order', async () => {
      const connectorId = await fixture.connector()
      const copy = await fixture.copy('things', connectorId)
      await copy.begin()
      await copy.commit(
        Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, data: { name: 'a', serial: index } })),
      )
      const filter = { eq: { name: 'a' }, gte: { serial: 0 } }
      const sort = [{ serial: 'asc' }]
      const { nextCursor: cursor } = await search(copy, { query: { filter, sort }, limit: 2 })
      assert.ok(cursor !== null)
      const from = (params: SearchParams, from = copy) => search(from, { limit: 2, ...params, cursor })
      const refused = (error: unknown) => error instanceof ConexError && error.code === 'invalid_cursor'
      const other = await copyOf([])
      const sibling = new Copy(copy.store, copy.tenant, { ...copy.key, entity: 'others' }, copy.lease)
      await assert.rejects(from({ query: { filter: { eq: { name: 'b' } }, sort } }), refused)
      await assert.rejects(from({ query: { filter } }), refused)
      await assert.rejects(from({ query: { filter, sort: [{ serial: 'desc' }] } }), refused)
      await assert.rejects(from({ query: { filter, sort } }, other), refused)
      await assert.rejects(from({ query: { filter, sort } }, sibling), refused)
      for (const changed of [
        `${cursor}x`,
        `x${cursor}`,
        cursor.slice(0, -2),
        'x',
        '%',
        cursor.toLowerCase(),
        `${cursor}=`,
      ])
        await assert.rejects(search(copy, { query: { filter, sort }, limit: 2, cursor: changed }), refused, changed)
      const next = ['2', '3']
      const found = async (params: SearchParams) => (await from(params)).hits.map(({ id }) => id)
      assert.deepEqual(await found({ query: { filter, sort } }), next)
      assert.deepEqual(await found({ query: { sort, filter: { gte: { serial: 0 }, eq: { name: 'a' } } } }), next)
      assert.deepEqual(await found({ query: { filter, sort }, limit: 1 }), ['2'])
      assert.deepEqual(await found({ query: { filter, sort }, fields: ['name'] }), next)
    })

    it('keeps a NUL in texts and keys apart from what stands before it', async () => {
      const copy = await copyOf([
        { id: '1', data: { name: 'a\0b', assignee: { 'k\0': 'v\0w' } } },
        { id: '2', data: { name: 'a', assignee: { k: 'v' } } },
        { id: '3', data: { name: 'ab' } },
      ])
      assert.deepEqual(await ids(copy, { eq: { name: 'a\0b' } }), ['1'])
      assert.deepEqual(await ids(copy, { eq: { name: 'a' } }), ['2'])
      assert.deepEqual(await ids(copy, { like: { name: 'a' } }), ['2'])
      assert.deepEqual(await ids(copy, { like: { name: 'a_b' } }), ['1'])
      assert.deepEqual(await ids(copy, { keyword: { name: 'a' } }), ['1', '2'])
      assert.deepEqual(await ids(copy, { eq: { 'assignee.k\0': 'v\0w' } }), ['1'])
      const { hits } = await search(copy, { query: { filter: { eq: { name: 'a\0b' } } } })
      assert.equal(hits[0]?.data.name, 'a\0b')
      assert.deepEqual(hits[0]?.data.assignee, { 'k\0': 'v\0w' })
    })

    it('ignores letter case beyond A to Z', async () => {
      const names = ['Привіт світ', 'ŁĄKA', 'Überblick', 'ΣΊΣΥΦΟΣ']
      const copy = await copyOf(names.map((name, index) => ({ id: String(index), data: { name } })))
      assert.deepEqual(await ids(copy, { like: { name: 'привіт%' } }), ['0'])
      assert.deepEqual(await ids(copy, { keyword: { name: 'łąka' } }), ['1'])
      assert.deepEqual(await ids(copy, { fuzzy: { name: 'überbl' } }), ['2'])
      assert.deepEqual(await ids(copy, { like: { name: '%ς' } }), ['3'])
      assert.deepEqual(await ids(copy, { like: { name: '%σ' } }), ['3'])
      assert.deepEqual(await ids(copy, { keyword: { name: 'laka uberblick' } }), [])
    })

    it('takes characters of patterns as the language says, and no others', async () => {
      const names = ['c:\\windows\\path', 'one hundred % done', 'snake_case', 'snakeXcase', 'a\\', '100%']
      const copy = await copyOf(names.map((name, index) => ({ id: String(index), data: { name } })))
      const like = (pattern: string) => ids(copy, { like: { name: pattern } })
      assert.deepEqual(await like('c:\\\\windows%'), ['0'])
      assert.deepEqual(await like('%\\%%'), ['1', '5'])
      assert.deepEqual(await like('snake\\_case'), ['2'])
      assert.deepEqual(await like('snake_case'), ['2', '3'])
      assert.deepEqual(await like('a\\\\'), ['4'])
      assert.deepEqual(await like('a\\'), ['4'])
      assert.deepEqual(await like('%'), ['0', '1', '2', '3', '4', '5'])
      assert.deepEqual(await like(''), [])
    })

    it('reads words as words, whatever they mean elsewhere', async () => {
      const copy = await copyOf([{ id: '1', data: { name: "Order BENCH-100821, don't panic" } }])
      for (const words of ['BENCH-100821', "don't"]) {
        assert.deepEqual(await ids(copy, { keyword: { name: words } }), ['1'])
        assert.deepEqual(await ids(copy, { fuzzy: { name: words } }), ['1'])
      }
      const others = [
        '20.04',
        'AND',
        'OR',
        'NOT',
        'NEAR(a b)',
        'name:foo',
        '"',
        '""',
        '*',
        '^',
        '-x',
        '()',
        'a OR',
        'foo*',
        '{a b}',
        ';',
        "'",
        '\\',
      ]
      for (const words of others) {
        assert.deepEqual(await ids(copy, { keyword: { name: words } }), [], words)
        // The one that begins a word of the text.
        assert.deepEqual(await ids(copy, { fuzzy: { name: words } }), words === 'OR' ? ['1'] : [], words)
      }
    })

    it('gives each record once over nulls, whatever the size of the pages', async () => {
      const dues = ['2024-01-02', null, null, '2024-01-01', null]
      for (const values of [dues, dues.map(() => null)]) {
        const copy = await copyOf(
          values.map((due_on, index) => ({ id: String(index), data: { due_on, serial: index % 2 } })),
        )
        for (const limit of [1, 2, 3])
          for (const sort of [[{ due_on: 'asc' }], [{ due_on: 'desc' }], [{ due_on: 'asc' }, { serial: 'desc' }]]) {
            const seen: string[] = []
            for (let cursor: string | undefined, pages = 0; pages < 9; pages++) {
              const { hits, nextCursor } = await search(copy, { query: { sort }, limit, ...(cursor && { cursor }) })
              seen.push(...hits.map(({ id }) => id))
              if (nextCursor === null) break
              cursor = nextCursor
            }
            assert.equal(seen.length, 5)
            if (values === dues && sort.length === 1)
              assert.deepEqual(seen, sort[0]!.due_on === 'asc' ? ['3', '0', '1', '2', '4'] : ['0', '3', '1', '2', '4'])
          }
      }
    })

    it('counts a comparison with null as false, and its negation as true', async () => {
      const bids = [1, 2, null]
      const copy = await copyOf(
        bids.map((serial, index) => ({ id: String(index), data: { serial, name: index === 0 ? 'abc' : null } })),
      )
      assert.deepEqual(await ids(copy, { neq: { serial: 1 } }), ['1', '2'])
      assert.deepEqual(await ids(copy, { not: { eq: { serial: 1 } } }), ['1', '2'])
      assert.deepEqual(await ids(copy, { not: { gt: { serial: 1 } } }), ['0', '2'])
      assert.deepEqual(await ids(copy, { not: { not: { gt: { serial: 1 } } } }), ['1'])
      assert.deepEqual(await ids(copy, { not: { in: { serial: [1, 2] } } }), ['2'])
      assert.deepEqual(await ids(copy, { eq: { serial: null } }), ['2'])
      assert.deepEqual(await ids(copy, { not: { like: { name: 'a%' } } }), ['1', '2'])
    })

    it('compares instants as instants, dates as dates, and shows both as they came', async () => {
      const times = [
        '2024-03-10T01:30:00-0800',
        '2024-03-10T09:45:00Z',
        '2024-03-10T09:30:00.000+00:00',
        '2024-03-10T10:30:00.000000+01:00',
      ]
      const copy = await copyOf(
        times.map((created_at, index) => ({ id: String(index), data: { created_at, due_on: '2024-07-10' } })),
      )
      assert.deepEqual(await ids(copy, { eq: { created_at: '2024-03-10T09:30:00Z' } }), ['0', '2', '3'])
      assert.deepEqual(await ids(copy, { gt: { created_at: '2024-03-10T09:30:00+0000' } }), ['1'])
      assert.deepEqual(await ids(copy, { gte: { due_on: '2024-07-10' } }), ['0', '1', '2', '3'])
      assert.deepEqual(await ids(copy, { eq: { due_on: '2024-07-10' } }), ['0', '1', '2', '3'])
      const { hits } = await search(copy, { query: { sort: [{ created_at: 'desc' }] } })
      assert.deepEqual(
        hits.map(({ data }) => data.created_at),
        [times[1], times[0], times[2], times[3]],
      )
    })

    it('keeps every digit of whole numbers past 2^53', async () => {
      const numbers = [7782342274025937895n, 7782342274025937896n, 9007199254740993n]
      const copy = await copyOf(
        numbers.map((serial, index) => ({
          id: String(index),
          data: { serial, gid: String(serial), tags: [{ gid: serial }] },
        })),
      )
      assert.deepEqual(await ids(copy, { eq: { serial: 7782342274025937896n } }), ['1'])
      assert.deepEqual(await ids(copy, { eq: { gid: '7782342274025937896' } }), ['1'])
      assert.deepEqual(await ids(copy, { any: { tags: { eq: { gid: 9007199254740993n } } } }), ['2'])
      const { hits } = await search(copy, { query: { sort: [{ serial: 'desc' }] } })
      assert.deepEqual(
        hits.map(({ data }) => data.serial),
        [numbers[1], numbers[0], numbers[2]],
      )
    })

    it('keeps and finds very long texts whole', async () => {
      const notes = `${Array.from({ length: 300_000 }, (_, index) => `w${index}`).join(' ')} theneedle end`
      const name = 'n'.repeat(20_000)
      const copy = await copyOf([
        { id: 'long notes', data: { name: 'b', notes } },
        { id: 'long name', data: { name } },
        { id: 'long word', data: { name: 'a', notes: 'x'.repeat(5000) } },
        ...Array.from({ length: 100 }, (_, index) => ({ id: `r${index}`, data: { name: 'ordinary' } })),
      ])
      assert.equal((await ids(copy, {})).length, 103)
      assert.deepEqual(await ids(copy, { eq: { name } }), ['long name'])
      assert.deepEqual(await ids(copy, { eq: { name: `${name}n` } }), [])
      assert.deepEqual(
        await ids(copy, { gt: { name: name.slice(0, -1) } }),
        ['long name', ...Array.from({ length: 100 }, (_, index) => `r${index}`)].toSorted(),
      )
      assert.deepEqual(await ids(copy, { keyword: { notes: 'end' } }), ['long notes'])
      assert.deepEqual(await ids(copy, { like: { notes: '%needle%' } }), ['long notes'])
      assert.deepEqual(await ids(copy, { keyword: { notes: 'x'.repeat(5000) } }), ['long word'])
      assert.deepEqual(await ids(copy, { fuzzy: { notes: 'x'.repeat(4999) } }), ['long word'])
      const { hits } = await search(copy, { query: { sort: [{ name: 'asc' }] }, limit: 3 })
      assert.deepEqual(
        hits.map(({ id }) => id),
        ['long word', 'long notes', 'long name'],
      )
      assert.equal(hits[1]?.data.notes, notes)
      assert.equal(hits[2]?.data.name, name)
    })

    it('ranks by how many of the words occur, then by id', async () => {
      const copy = await copyOf(
        ['red', 'green red', 'blue', 'red blue green', 'grey', 'Green'].map((name, index) => ({
          id: String(index),
          data: { name },
        })),
      )
      const { hits } = await search(copy, { query: { filter: { keyword: { name: 'red green blue' } } } })
      assert.deepEqual(
        hits.map(({ id, score }) => [id, score]),
        [
          ['3', 3],
          ['1', 2],
          ['0', 1],
          ['2', 1],
          ['5', 1],
        ],
      )
      const one = await search(copy, { query: { filter: { keyword: { name: 'red' } } } })
      assert.deepEqual(
        one.hits.map(({ id, score }) => [id, score]),
        [
          ['0', 1],
          ['1', 1],
          ['3', 1],
        ],
      )
    })

    it('ranks the same by few words and by many, among texts of any length, page by page', async () => {
      const wanted = ['red', 'green', 'blue', 'grey', 'pink', 'teal', 'gold', 'mint']
      const some = (index: number) => wanted.filter((_, place) => (index * 37) & (1 << place)).join(' ')
      // Too many words for one entry of an index.
      const long = Array.from({ length: 45_000 }, (_, index) => `w${index}`).join(' ')
      const records = Array.from({ length: 60 }, (_, index) => ({
        id: String(index),
        data: { name: some(index), notes: index === 7 ? `${long} ${some(index + 1)}` : some(index + 2) },
      }))
      const copy = await copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      for (const count of [2, 3, 5, 8])
        for (const filter of [
          { keyword: { name: wanted.slice(0, count).join(' ') } },
          { keyword: { notes: wanted.slice(-count).join(' '), name: 'red' } },
          { or: [{ keyword: { notes: wanted.slice(0, count).join(' ') } }, { eq: { name: '' } }] },
          { keyword: { name: wanted.slice(0, count).join(' ') }, not: { keyword: { notes: 'teal w44999' } } },
        ])
          await compare(copy, kept, { query: { filter }, limit: 25 })
    })

    it('gives what was asked for, and null where a record has nothing', async () => {
      const copy = await copyOf([{ id: '1', data: { name: 'a', assignee: { gid: '7', name: 'Ann' }, unknown: 1 } }])
      const fields = ['name', 'assignee.name', ['assignee', 'mail'], 'tags']
      const { hits } = await search(copy, { query: {}, fields })
      assert.deepEqual(hits, [
        { id: '1', score: 1, data: { name: 'a', assignee: { name: 'Ann', mail: null }, tags: null } },
      ])
      assert.deepEqual((await search(copy, { query: {}, fields: [] })).hits[0]?.data, {})
      const all = (await search(copy, { query: {} })).hits[0]?.data
      assert.deepEqual(Object.keys(all ?? {}).toSorted(), Object.keys(searchable).toSorted())
    })

    it('shows nothing of another tenant or connector', async () => {
      const copy = await copyOf([{ id: '1', data: { name: 'secret' } }])
      const query = parseQuery(searchable, { query: {} })
      for (const tenant of [
        { organizationId: fixture.tenant.organizationId, externalUserId: 'bob' },
        { organizationId: '01900000-0000-7000-8000-0000000bad00', externalUserId: null },
      ]) {
        const found = await copy.store.copies.search(tenant, copy.key, query)
        assert.deepEqual(
          { hits: found.hits, state: found.state },
          { hits: '[]', state: { syncedAt: null, complete: false } },
        )
      }
      assert.deepEqual(await ids(await copyOf([]), {}), [])
      assert.deepEqual(await ids(copy, {}), ['1'])
    })

    it('ends a search that nobody waits for any more', async () => {
      const copy = await copyOf([])
      await assert.rejects(
        copy.search(parseQuery(searchable, { query: {} }), AbortSignal.abort(new Error('gone'))),
        /gone/,
      )
    })
  })
}
