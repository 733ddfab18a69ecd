/** What every store finds, in searches that are each about something; random ones are in `search-agreement.suite.ts`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { ConexError } from '../errors.ts'
import { parseQuery } from '../search/parse-query.ts'
import { searchRecord } from '../search/record.ts'
import { searchRecords } from '../search/search-records.suite.ts'
import { nothingCopied } from './copy.ts'
import { at, Copy } from './copy-fixture.suite.ts'
import { searchable } from './samples.suite.ts'
import { compareSearch, type SearchParams } from './search-comparison.suite.ts'
import { Searching } from './search-fixture.suite.ts'
import type { Store } from './store.ts'

/** Judges the search of a store. `open` opens the same database each time, which is empty before the first time. */
export function searchSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`search in ${name}`, () => {
    let searching: Searching
    before(async () => {
      searching = await Searching.open(open)
    })
    after(() => searching.close())

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
      const copy = await searching.copyOf(records)
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
            // A short page is looked for among the first of the order before all of it.
            const page = await searching.search(copy, {
              query,
              limit: cursor === undefined ? 20 : 250,
              ...(cursor && { cursor }),
            })
            found.push(...page.hits.map(({ id, score }): [string, number] => [id, score]))
            cursor = page.nextCursor
          }
          assert.deepEqual(found, expected, JSON.stringify(query))
        }
    })

    it('finds how texts begin in every letter case, in few and in many', async () => {
      const cased = (bits: number) =>
        [...'launches'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')
      const names = [
        ...[
          'Launch of it',
          'launch off',
          'LAUNCH OF',
          'Launch on',
          'launcher',
          '\u017fkates',
          'S\u212aates 2',
          'skate',
        ],
        ...Array.from({ length: 256 }, (_, bits) => `${cased(bits)} ${bits}`),
        `${'#'.repeat(300)} one`,
      ]
      const records = names.map((name, index) => ({ id: String(index).padStart(3, '0'), data: { name } }))
      const copy = await searching.copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      for (const name of [
        'Launch of%',
        'launch o_%',
        'LAUNCHES 1%',
        'launch%3',
        'skates%',
        'lau',
        `${'#'.repeat(290)}%`,
      ])
        for (const filter of [
          { like: { name } },
          { or: [{ like: { name } }, { eq: { name: 'skate' } }] },
          { not: { like: { name } } },
          { and: [{ like: { name } }, { like: { name: 'l%' } }, { keyword: { name: 'of it' } }] },
        ]) {
          const params = { query: { filter, sort: [{ name: 'desc' }] }, limit: 1000 }
          const { hits } = searchRecords(kept, copy.key, searchable, parseQuery(searchable, params))
          const found = await searching.search(copy, params)
          assert.deepEqual(
            found.hits.map(({ id }) => id),
            hits.map(({ id }) => id),
            JSON.stringify(filter),
          )
        }
    })

    it('sorts by several fields where thousands of records share the first, page by page', async () => {
      const ids = Array.from({ length: 17_000 }, (_, index) => String((index * 7919) % 17_011))
      const records = ids.map((id, index) => ({
        id,
        data: {
          // Hardly anything that is open has one.
          created_at: index % 3 === 2 || id.startsWith('999') ? at(index % 40) : null,
          name: index % 7 === 0 ? null : `name ${index % 13}`,
          serial: index % 3 === 0 ? null : index % 2000 === 1 ? 7 : index % 2,
          completed: index % 3 === 2,
          due_on: at(index % 50),
        },
      }))
      const copy = await searching.copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      const sorts = [
        [{ serial: 'asc' }, { due_on: 'desc' }],
        [{ serial: 'desc' }, { name: 'asc' }, { due_on: 'asc' }],
        [{ completed: 'desc' }, { serial: 'asc' }, { name: 'desc' }],
        [{ completed: 'asc' }, { serial: 'desc' }],
        [{ completed: 'asc' }, { created_at: 'desc' }, { name: 'asc' }],
      ]
      for (const filter of [{}, { gte: { due_on: at(40) } }])
        for (const sort of sorts) {
          const query = { filter, sort }
          const expected = searchRecords(kept, copy.key, searchable, parseQuery(searchable, { query, limit: 10_000 }))
          const found: string[] = []
          for (let cursor: string | null | undefined; cursor !== null && found.length < 10_000; ) {
            const page = await searching.search(copy, { query, limit: 1250, ...(cursor && { cursor }) })
            found.push(...page.hits.map(({ id }) => id))
            cursor = page.nextCursor
          }
          assert.deepEqual(
            found.slice(0, 10_000),
            expected.hits.map(({ id }) => id),
            JSON.stringify(query),
          )
        }
    })

    it('keeps its place while records come, change and go: none twice, none missing of those that stay', async () => {
      const data = (name: string, serial: number | null) => ({ name, serial })
      const records = Array.from({ length: 60 }, (_, index) => ({
        id: `r${String(index).padStart(3, '0')}`,
        data: data('stays', index % 4 === 0 ? null : index % 7),
      }))
      for (const sort of [[], [{ serial: 'asc' }], [{ serial: 'desc' }]]) {
        const copy = await searching.copyOf(records)
        const seen: string[] = []
        let cursor: string | undefined
        for (let page = 0; ; page++) {
          const params = { query: { filter: { like: { name: 'st%' } }, sort }, limit: 4, ...(cursor && { cursor }) }
          const found = await searching.search(copy, params)
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
      const connectorId = await searching.fixture.connector()
      const copy = await searching.fixture.copy('things', connectorId)
      await copy.begin()
      await copy.commit(
        Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, data: { name: 'a', serial: index } })),
      )
      const filter = { eq: { name: 'a' }, gte: { serial: 0 } }
      const sort = [{ serial: 'asc' }]
      const { nextCursor: cursor } = await searching.search(copy, { query: { filter, sort }, limit: 2 })
      assert.ok(cursor !== null)
      const from = (params: SearchParams, from = copy) => searching.search(from, { limit: 2, ...params, cursor })
      const refused = (error: unknown) => error instanceof ConexError && error.code === 'invalid_cursor'
      const other = await searching.copyOf([])
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
        await assert.rejects(
          searching.search(copy, { query: { filter, sort }, limit: 2, cursor: changed }),
          refused,
          changed,
        )
      const next = ['2', '3']
      const found = async (params: SearchParams) => (await from(params)).hits.map(({ id }) => id)
      assert.deepEqual(await found({ query: { filter, sort } }), next)
      assert.deepEqual(await found({ query: { sort, filter: { gte: { serial: 0 }, eq: { name: 'a' } } } }), next)
      assert.deepEqual(await found({ query: { filter, sort }, limit: 1 }), ['2'])
      assert.deepEqual(await found({ query: { filter, sort }, fields: ['name'] }), next)
    })

    it('gives each record once over nulls, whatever the size of the pages', async () => {
      const dues = ['2024-01-02', null, null, '2024-01-01', null]
      for (const values of [dues, dues.map(() => null)]) {
        const copy = await searching.copyOf(
          values.map((due_on, index) => ({ id: String(index), data: { due_on, serial: index % 2 } })),
        )
        for (const limit of [1, 2, 3])
          for (const sort of [[{ due_on: 'asc' }], [{ due_on: 'desc' }], [{ due_on: 'asc' }, { serial: 'desc' }]]) {
            const seen: string[] = []
            for (let cursor: string | undefined, pages = 0; pages < 9; pages++) {
              const { hits, nextCursor } = await searching.search(copy, {
                query: { sort },
                limit,
                ...(cursor && { cursor }),
              })
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

    it('ranks by how many of the words occur, then by id', async () => {
      const copy = await searching.copyOf(
        ['red', 'green red', 'blue', 'red blue green', 'grey', 'Green'].map((name, index) => ({
          id: String(index),
          data: { name },
        })),
      )
      const { hits } = await searching.search(copy, { query: { filter: { keyword: { name: 'red green blue' } } } })
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
      const one = await searching.search(copy, { query: { filter: { keyword: { name: 'red' } } } })
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
      const copy = await searching.copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      for (const count of [2, 3, 5, 8])
        for (const filter of [
          { keyword: { name: wanted.slice(0, count).join(' ') } },
          { keyword: { notes: wanted.slice(-count).join(' '), name: 'red' } },
          { or: [{ keyword: { notes: wanted.slice(0, count).join(' ') } }, { eq: { name: '' } }] },
          { keyword: { name: wanted.slice(0, count).join(' ') }, not: { keyword: { notes: 'teal w44999' } } },
        ])
          await compareSearch([copy], kept, { query: { filter }, limit: 25 })
    })

    it('answers the deepest, the widest and the longest questions that may be asked', async () => {
      const records = Array.from({ length: 40 }, (_, index) => ({
        id: String(index),
        data: {
          name: `name ${index}`,
          serial: index % 5 === 0 ? null : index,
          sizeInKb: index / 4,
          completed: index % 2 === 0,
          created_at: at(index),
          assignee: { gid: String(index), deep: { deep: [{ deep: { gid: `${index % 3}` } }] } },
          tags: [{ gid: String(index), deep: [{ deep: [{ gid: `${index % 3}` }] }] }, 'x'],
        },
      }))
      const copy = await searching.copyOf(records)
      const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
      const many = (one: (index: number) => object, count = 256) => Array.from({ length: count }, (_, at) => one(at))
      const list = <T>(count: number, one: (index: number) => T) =>
        Array.from({ length: count }, (_, index) => one(index))
      function nested(inner: object, levels: number, ...wraps: ((of: object) => object)[]): object {
        let condition = inner
        for (let level = 0; level < levels; level++) condition = wraps[level % wraps.length]!(condition)
        return condition
      }
      const leaf = { eq: { serial: 7 } }
      const not = (of: object) => ({ not: of })
      for (const filter of [
        nested(leaf, 16, not),
        nested(leaf, 15, not),
        nested(
          leaf,
          16,
          (of) => ({ and: [of, { gte: { serial: 0 } }] }),
          (of) => ({ or: [{ eq: { serial: 3 } }, of] }),
        ),
        { any: { tags: { any: { deep: { any: { deep: { eq: { gid: '1' } } } } } } } },
        { any: { tags: { any: { deep: { any: { deep: nested({ eq: { gid: '1' } }, 13, not) } } } } } },
        { or: many((index) => ({ eq: { serial: index * 3 } })) },
        { and: many((index) => ({ neq: { name: `name ${index * 2}` } })) },
        { or: many((index) => ({ like: { name: `%e ${index}` } })) },
        { or: many((index) => ({ keyword: { name: `${index}` } })) },
        { and: many((index) => ({ not: { fuzzy: { name: `na ${index + 20}` } } }), 128) },
        { or: many((index) => ({ any: { tags: { eq: { gid: `${index}` } } } }), 128) },
        { or: many((index) => ({ contains: { tags: `x${index}` } })) },
        { or: many((index) => ({ lt: { created_at: at(index - 250) } })) },
        { in: { serial: Array.from({ length: 50_000 }, (_, index) => index * 2) } },
        { in: { name: Array.from({ length: 50_000 }, (_, index) => `name ${index * 2}`) } },
        { in: { assignee: many((index) => ({ gid: String(index) }), 5000) } },
        { and: many((index) => ({ in: { serial: list(300, (value) => value * 2 + (index % 2) * 14) } })) },
        { or: many((index) => ({ in: { name: list(300, (value) => `name ${value * 300 + index}\0`) } })) },
        { in: { sizeInKb: list(300, (index) => index / 3) } },
        { keyword: { name: Array.from({ length: 50_000 }, (_, index) => index * 2).join(' ') } },
        { fuzzy: { name: 'n '.repeat(50_000) } },
        { like: { name: `${'%'.repeat(50_000)}7` } },
        { eq: { 'assignee.deep.deep': [{ deep: { gid: '2' } }] } },
      ])
        await compareSearch([copy], kept, { query: { filter }, limit: 15 })
      const fields = Object.entries(searchable).flatMap(([field, type]) =>
        type === 'object' || type === 'array' ? [] : [field],
      )
      const inside = Array.from({ length: 32 - fields.length }, (_, index) => `assignee.a${index}`)
      const sorts = [...fields, ...inside].map((field, place) => ({ [field]: place % 2 === 0 ? 'asc' : 'desc' }))
      await compareSearch([copy], kept, { query: { sort: sorts }, limit: 10_000 })
      await compareSearch([copy], kept, { query: {}, limit: 40, fields: many(() => ['assignee', 'gid'], 1000) })
    })

    it('shows nothing of another tenant or connector', async () => {
      const copy = await searching.copyOf([{ id: '1', data: { name: 'secret' } }])
      const query = parseQuery(searchable, { query: {} })
      for (const tenant of [
        { organizationId: searching.fixture.tenant.organizationId, externalUserId: 'bob' },
        { organizationId: '01900000-0000-7000-8000-0000000bad00', externalUserId: null },
      ]) {
        const found = await copy.store.copies.search(tenant, copy.key, query)
        assert.deepEqual({ hits: found.hits, state: found.state }, { hits: '', state: nothingCopied })
      }
      assert.deepEqual(await searching.ids(await searching.copyOf([]), {}), [])
      assert.deepEqual(await searching.ids(copy, {}), ['1'])
    })

    it('sees what was written since the last search: the state of the copy, and that it is gone', async () => {
      const copy = await searching.copyOf([{ id: '1', data: { name: 'a' } }])
      const search = async () => {
        const { count, state } = await copy.search(parseQuery(searchable, { query: {} }))
        return { count, ...state }
      }
      for (let again = 0; again < 2; again++)
        assert.deepEqual(await search(), { ...nothingCopied, count: 1, records: 1 })
      await copy.finish()
      const finished = { ...nothingCopied, syncedAt: at(1), complete: true }
      assert.deepEqual(await search(), { ...finished, count: 1, records: 1 })
      await copy.begin()
      await copy.commit([{ id: '2', data: { name: 'b' } }])
      assert.deepEqual(await search(), { ...finished, count: 2, records: 2 })
      await copy.store.copies.remove(copy.tenant, copy.key.connectorId)
      assert.deepEqual(await search(), { ...nothingCopied, count: 0 })
    })

    it('ends a search that nobody waits for any more', async () => {
      const copy = await searching.copyOf([])
      await assert.rejects(
        copy.search(parseQuery(searchable, { query: {} }), AbortSignal.abort(new Error('gone'))),
        /gone/,
      )
    })
  })
}
