/** What texts, times and nulls mean to every store, case by case. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { writeCursor } from '../search/cursor.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Scalar } from '../search/query.ts'
import { hitsIn } from './copy.ts'
import { searchable } from './samples.suite.ts'
import { Searching } from './search-fixture.suite.ts'
import type { Store } from './store.ts'

/** Judges the search of a store. `open` opens the same database each time, which is empty before the first time. */
export function searchValuesSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`values searched in ${name}`, () => {
    let searching: Searching
    before(async () => {
      searching = await Searching.open(open)
    })
    after(() => searching.close())

    it('gives few hits as text, and many as bytes, which nobody has to make of them', async () => {
      const records = Array.from({ length: 200 }, (_, index) => ({ id: `${index}é`, data: { notes: 'é'.repeat(500) } }))
      const copy = await searching.copyOf(records)
      for (const fields of [{}, { fields: ['notes', 'sizeInKb'] }, { fields: ['notes'] }]) {
        const few = await copy.search(parseQuery(searchable, { query: {}, limit: 3, ...fields }))
        assert.equal(typeof few.hits, 'string')
        assert.equal(hitsIn(few).length, 3)
        const many = await copy.search(parseQuery(searchable, { query: {}, ...fields }))
        assert.ok(Buffer.isBuffer(many.hits))
        assert.deepEqual(
          hitsIn(many)
            .map(({ id }) => id)
            .sort(),
          records.map(({ id }) => id).sort(),
        )
        assert.equal(hitsIn(many)[7]!.data.notes, records[7]!.data.notes)
      }
    })

    it('refuses cursors with keys that no hit has, which anybody could make', async () => {
      const copy = await searching.copyOf([{ id: '1', data: { name: 'red', serial: 1 } }])
      const forged: [object, Scalar | null][] = [
        [{ sort: [{ serial: 'asc' }] }, 2n ** 63n],
        [{ sort: [{ serial: 'desc' }] }, -(10n ** 900n)],
        [{ filter: { keyword: { name: 'red green blue black white grey' } } }, null],
      ]
      for (const [query, key] of forged) {
        const parsed = parseQuery(searchable, { query })
        const cursor = writeCursor(copy.key, parsed, { keys: [key], id: '0' })
        await assert.rejects(copy.search({ ...parsed, cursor }), { code: 'invalid_cursor' })
      }
    })

    it('keeps a NUL in texts and keys apart from what stands before it', async () => {
      const copy = await searching.copyOf([
        { id: '1', data: { name: 'a\0b', assignee: { 'k\0': 'v\0w' } } },
        { id: '2', data: { name: 'a', assignee: { k: 'v' } } },
        { id: '3', data: { name: 'ab' } },
      ])
      assert.deepEqual(await searching.ids(copy, { eq: { name: 'a\0b' } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { eq: { name: 'a' } }), ['2'])
      assert.deepEqual(await searching.ids(copy, { like: { name: 'a' } }), ['2'])
      assert.deepEqual(await searching.ids(copy, { like: { name: 'a_b' } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { keyword: { name: 'a' } }), ['1', '2'])
      assert.deepEqual(await searching.ids(copy, { eq: { 'assignee.k\0': 'v\0w' } }), ['1'])
      const { hits } = await searching.search(copy, { query: { filter: { eq: { name: 'a\0b' } } } })
      assert.equal(hits[0]?.data.name, 'a\0b')
      assert.deepEqual(hits[0]?.data.assignee, { 'k\0': 'v\0w' })
    })

    it('ignores letter case beyond A to Z', async () => {
      const names = ['Привіт світ', 'ŁĄKA', 'Überblick', 'ΣΊΣΥΦΟΣ']
      const copy = await searching.copyOf(names.map((name, index) => ({ id: String(index), data: { name } })))
      assert.deepEqual(await searching.ids(copy, { like: { name: 'привіт%' } }), ['0'])
      assert.deepEqual(await searching.ids(copy, { keyword: { name: 'łąka' } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { fuzzy: { name: 'überbl' } }), ['2'])
      assert.deepEqual(await searching.ids(copy, { like: { name: '%ς' } }), ['3'])
      assert.deepEqual(await searching.ids(copy, { like: { name: '%σ' } }), ['3'])
      assert.deepEqual(await searching.ids(copy, { keyword: { name: 'laka uberblick' } }), [])
    })

    it('finds how a text begins, however that is written', async () => {
      const names = ['\u212aelvin', 'ſtop', 'ıstanbul', 'İstanbul', 'kE\u0301', 'kelvin', '\u1fef\u037e x']
      names.push('2024-03-10T01:30:00-0800', '2024-03-10 sTand-up', 'Launch of the new site', 'lauNCH Of the rocket')
      const copy = await searching.copyOf(
        names.map((name, index) => ({ id: `${index}`.padStart(2, '0'), data: { name } })),
      )
      const like = async (pattern: string) => (await searching.ids(copy, { like: { name: pattern } })).map(Number)
      assert.deepEqual(await like('K%'), [0, 4, 5])
      assert.deepEqual(await like('ke%'), [0, 5])
      assert.deepEqual(await like('ké%'), [4])
      assert.deepEqual(await like('St_p'), [1])
      assert.deepEqual(await like('istan%'), [2])
      assert.deepEqual(await like('`;%'), [6])
      assert.deepEqual(await like('2024-03-10t01:%'), [7])
      assert.deepEqual(await like('2024-03-10 st%'), [8])
      assert.deepEqual(await like('2024%'), [7, 8])
      assert.deepEqual(await like('launch of the %'), [9, 10])
      for (const sort of [{ name: 'asc' }, { name: 'desc' }]) {
        const filter = { like: { name: 'launch%' }, gt: { name: 'M' } }
        assert.deepEqual(
          (await searching.search(copy, { query: { filter, sort: [sort] } })).hits.map(({ id }) => id),
          ['10'],
        )
      }
    })

    it('takes characters of patterns as the language says, and no others', async () => {
      const names = ['c:\\windows\\path', 'one hundred % done', 'snake_case', 'snakeXcase', 'a\\', '100%']
      const copy = await searching.copyOf(names.map((name, index) => ({ id: String(index), data: { name } })))
      const like = (pattern: string) => searching.ids(copy, { like: { name: pattern } })
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
      const copy = await searching.copyOf([{ id: '1', data: { name: "Order BENCH-100821, don't panic" } }])
      for (const words of ['BENCH-100821', "don't"]) {
        assert.deepEqual(await searching.ids(copy, { keyword: { name: words } }), ['1'])
        assert.deepEqual(await searching.ids(copy, { fuzzy: { name: words } }), ['1'])
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
        assert.deepEqual(await searching.ids(copy, { keyword: { name: words } }), [], words)
        // The one that begins a word of the text.
        assert.deepEqual(await searching.ids(copy, { fuzzy: { name: words } }), words === 'OR' ? ['1'] : [], words)
      }
    })

    it('takes marks as parts of words, and one character however it is spelt', async () => {
      const names = {
        1: 'हिन्दी परियोजना',
        2: 'दिल्ली कार्यालय',
        3: 'द न',
        4: 'เสื้อ',
        5: 'เสือ',
        6: 'Cafe\u0301 menu',
        7: 'Café plan',
        8: '\u1112\u1161\u11ab\u1100\u1173\u11af 문서',
      }
      const copy = await searching.copyOf(
        Object.entries(names).map(([id, name]) => ({ id, data: { name, notes: name.repeat(2), assignee: { name } } })),
      )
      for (const field of ['name', 'assignee.name']) {
        const ids = (operator: string, text: string) => searching.ids(copy, { [operator]: { [field]: text } })
        assert.deepEqual(await ids('keyword', 'हिन्दी'), ['1'])
        assert.deepEqual(await ids('keyword', 'द'), ['3'])
        assert.deepEqual(await ids('keyword', 'เสื้อ'), ['4'])
        assert.deepEqual(await ids('keyword', 'เสือ'), ['5'])
        assert.deepEqual(await ids('keyword', '\u0301 \u093f'), [])
        assert.deepEqual(await ids('fuzzy', 'दि का'), ['2'])
        for (const cafe of ['café', 'CAFE\u0301']) {
          assert.deepEqual(await ids('keyword', cafe), ['6', '7'])
          assert.deepEqual(await ids('fuzzy', cafe), ['6', '7'])
          assert.deepEqual(await ids('like', `${cafe}%`), ['6', '7'])
          assert.deepEqual(await ids('like', `%${cafe.slice(2)}%`), ['6', '7'])
        }
        assert.deepEqual(await ids('keyword', 'cafe'), [])
        assert.deepEqual(await ids('like', '한글%'), ['8'])
        // What is not about words or patterns goes by what the system wrote.
        assert.deepEqual(await ids('eq', 'Café menu'), [])
        assert.deepEqual(await ids('eq', names[6]), ['6'])
        assert.deepEqual(await searching.ids(copy, { in: { [field]: ['Café menu', names[8]] } }), ['8'])
      }
      const { hits } = await searching.search(copy, { query: { filter: { keyword: { name: 'café' } } } })
      assert.deepEqual(
        hits.map(({ data }) => data.name),
        [names[6], names[7]],
      )
    })

    it('tells what stands inside objects from what is only written like it', async () => {
      const texts = [
        '7',
        'true',
        '{"a":1}',
        '"7"',
        "it's",
        'Łąka "\\',
        '2024-03-10T09:30:00Z',
        '2024-03-10T10:30:00+01:00',
      ]
      const values = [...texts, 7, true, { a: 1 }, null]
      const copy = await searching.copyOf([
        ...values.map((gid, index) => ({ id: String(10 + index), data: { assignee: { gid, 'it\'s "so"': gid } } })),
        { id: 'none', data: {} },
      ])
      const equal = (value: unknown, key = 'gid') => searching.ids(copy, { eq: { [`assignee.${key}`]: value } })
      for (const key of ['gid', `it's "so"`]) {
        for (const [index, value] of values.slice(0, 6).entries())
          assert.deepEqual(await equal(value, key), [String(10 + index)], String(value))
        assert.deepEqual(await equal(texts[6], key), ['16', '17'])
        assert.deepEqual(await equal(7, key), ['18'])
        assert.deepEqual(await equal(true, key), ['19'])
        assert.deepEqual(await equal(null, key), ['21', 'none'])
      }
      assert.deepEqual(await equal('7', "gid' or 1"), [])
      assert.equal((await searching.ids(copy, { neq: { 'assignee.gid': '7' } })).length, values.length)
    })

    it('counts a comparison with null as false, and its negation as true', async () => {
      const bids = [1, 2, null]
      const copy = await searching.copyOf(
        bids.map((serial, index) => ({ id: String(index), data: { serial, name: index === 0 ? 'abc' : null } })),
      )
      assert.deepEqual(await searching.ids(copy, { neq: { serial: 1 } }), ['1', '2'])
      assert.deepEqual(await searching.ids(copy, { not: { eq: { serial: 1 } } }), ['1', '2'])
      assert.deepEqual(await searching.ids(copy, { not: { gt: { serial: 1 } } }), ['0', '2'])
      assert.deepEqual(await searching.ids(copy, { not: { not: { gt: { serial: 1 } } } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { not: { in: { serial: [1, 2] } } }), ['2'])
      assert.deepEqual(await searching.ids(copy, { eq: { serial: null } }), ['2'])
      assert.deepEqual(await searching.ids(copy, { not: { like: { name: 'a%' } } }), ['1', '2'])
    })

    it('compares instants as instants, dates as dates, and shows both as they came', async () => {
      const times = [
        '2024-03-10T01:30:00-0800',
        '2024-03-10T09:45:00Z',
        '2024-03-10T09:30:00.000+00:00',
        '2024-03-10T10:30:00.000000+01:00',
      ]
      const copy = await searching.copyOf(
        times.map((created_at, index) => ({ id: String(index), data: { created_at, due_on: '2024-07-10' } })),
      )
      assert.deepEqual(await searching.ids(copy, { eq: { created_at: '2024-03-10T09:30:00Z' } }), ['0', '2', '3'])
      assert.deepEqual(await searching.ids(copy, { gt: { created_at: '2024-03-10T09:30:00+0000' } }), ['1'])
      assert.deepEqual(await searching.ids(copy, { gte: { due_on: '2024-07-10' } }), ['0', '1', '2', '3'])
      assert.deepEqual(await searching.ids(copy, { eq: { due_on: '2024-07-10' } }), ['0', '1', '2', '3'])
      const { hits } = await searching.search(copy, { query: { sort: [{ created_at: 'desc' }] } })
      assert.deepEqual(
        hits.map(({ data }) => data.created_at),
        [times[1], times[0], times[2], times[3]],
      )
    })

    it('sorts by what stands inside objects, page by page: numbers, then texts, then nothing', async () => {
      const values = [
        3,
        'b',
        null,
        10n ** 30n,
        true,
        '2024-03-10T10:30:00+01:00',
        'a',
        9007199254740993n,
        { a: 1 },
        ['a'],
        0.5,
      ]
      const records = values.map((value, place) => ({
        id: String.fromCharCode(97 + place),
        data: { assignee: { gid: value, deep: { name: place % 2 } } },
      }))
      const copy = await searching.copyOf([...records, { id: 'z', data: {} }])
      const walk = async (sort: readonly object[]) => {
        const ids: string[] = []
        for (let cursor: string | null = null, pages = 0; pages < 20; pages++) {
          const page = await searching.search(copy, { query: { sort }, limit: 2, ...(cursor !== null && { cursor }) })
          ids.push(...page.hits.map(({ id }) => id))
          if (page.nextCursor === null) break
          cursor = page.nextCursor
        }
        return ids.join('')
      }
      assert.equal(await walk([{ 'assignee.gid': 'asc' }]), 'keahdfgbcijz')
      assert.equal(await walk([{ 'assignee.gid': 'desc' }]), 'bgfdhaekcijz')
      assert.equal(await walk([{ 'assignee.deep.name': 'desc' }, { 'assignee.gid': 'desc' }]), 'bfdhjgaekciz')
    })

    it('keeps and finds very long texts whole', async () => {
      const notes = `${Array.from({ length: 300_000 }, (_, index) => `w${index}`).join(' ')} theneedle end`
      const name = 'n'.repeat(20_000)
      const copy = await searching.copyOf([
        { id: 'long notes', data: { name: 'b', notes } },
        { id: 'long name', data: { name } },
        { id: 'long word', data: { name: 'a', notes: 'x'.repeat(5000) } },
        ...Array.from({ length: 100 }, (_, index) => ({ id: `r${index}`, data: { name: 'ordinary' } })),
      ])
      assert.equal((await searching.ids(copy, {})).length, 103)
      assert.deepEqual(await searching.ids(copy, { eq: { name } }), ['long name'])
      for (const long of [name, 'n'.repeat(60_000)]) {
        const found = long === name ? ['long name'] : []
        assert.deepEqual(await searching.ids(copy, { keyword: { name: long } }), found)
        assert.deepEqual(await searching.ids(copy, { fuzzy: { name: long } }), found)
        assert.deepEqual(await searching.ids(copy, { like: { name: `%${long}%` } }), found)
        assert.equal((await searching.ids(copy, { not: { keyword: { name: long } } })).length, 103 - found.length)
      }
      assert.deepEqual(await searching.ids(copy, { eq: { name: `${name}n` } }), [])
      assert.deepEqual(
        await searching.ids(copy, { gt: { name: name.slice(0, -1) } }),
        ['long name', ...Array.from({ length: 100 }, (_, index) => `r${index}`)].toSorted(),
      )
      assert.deepEqual(await searching.ids(copy, { keyword: { notes: 'end' } }), ['long notes'])
      assert.deepEqual(await searching.ids(copy, { like: { notes: '%needle%' } }), ['long notes'])
      assert.deepEqual(await searching.ids(copy, { keyword: { notes: 'x'.repeat(5000) } }), ['long word'])
      assert.deepEqual(await searching.ids(copy, { fuzzy: { notes: 'x'.repeat(4999) } }), ['long word'])
      const { hits } = await searching.search(copy, { query: { sort: [{ name: 'asc' }] }, limit: 3 })
      assert.deepEqual(
        hits.map(({ id }) => id),
        ['long word', 'long notes', 'long name'],
      )
      assert.equal(hits[1]?.data.notes, notes)
      assert.equal(hits[2]?.data.name, name)
    })

    it('gives what was asked for, and null where a record has nothing', async () => {
      const copy = await searching.copyOf([
        { id: '1', data: { name: 'a', assignee: { gid: '7', name: 'Ann' }, unknown: 1 } },
      ])
      const fields = ['name', 'assignee.name', ['assignee', 'mail'], 'tags']
      const { hits } = await searching.search(copy, { query: {}, fields })
      assert.deepEqual(hits, [
        { id: '1', score: 1, data: { name: 'a', assignee: { name: 'Ann', mail: null }, tags: null } },
      ])
      assert.deepEqual((await searching.search(copy, { query: {}, fields: [] })).hits[0]?.data, {})
      const all = (await searching.search(copy, { query: {} })).hits[0]?.data
      assert.deepEqual(Object.keys(all ?? {}).toSorted(), Object.keys(searchable).toSorted())
    })
  })
}
