/** What every store answers to statements of callers in words that both databases speak; what each speaks alone is in its own tests. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { ConexError } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { ReadRecord } from './copy.ts'
import { Copy } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable } from './samples.suite.ts'
import { Searching } from './search-fixture.suite.ts'
import type { StatementBounds } from './statements/statement.ts'
import type { Store } from './store.ts'

export type Row = Readonly<Record<string, unknown>>

/** The rows of a statement over a copy's connector. */
export async function rowsOf(copy: Copy, sql: string, limit = 1000): Promise<Row[]> {
  const { connectorId, kind } = copy.key
  const { rows } = await copy.store.copies.select(copy.tenant, { connectorId, kind }, { sql, limit })
  return parseJson(`[${rows}]`) as Row[]
}

/** What is wrong with a statement. */
export async function faultOf(copy: Copy, sql: string): Promise<string> {
  try {
    const rows = await rowsOf(copy, sql)
    return assert.fail(`It ran: ${sql}\n${stringifyJson(rows)}`)
  } catch (error) {
    if (!(error instanceof ConexError) || error.code !== 'invalid_query') throw error
    return error.message.replace('The statement cannot be run: ', '')
  }
}

const month = (index: number): string => `2026-0${1 + (index % 3)}-${String(1 + (index % 28)).padStart(2, '0')}`

/** Things of a team; every seventh is nobody's. */
const fieldsOfThings = Array.from({ length: 60 }, (_, index) => ({
  gid: `t${index}`,
  name: `Thing ${index}`,
  due_on: month(index),
  serial: index,
  sizeInKb: index / 4,
  completed: index % 2 === 0,
  assignee: index % 7 === 0 ? null : { gid: `o${index % 3}`, deep: { name: 'x' } },
  tags: [index % 2, 'tag'],
}))
const things: readonly ReadRecord[] = fieldsOfThings.map((data) => ({ id: data.gid, data }))

const others: readonly ReadRecord[] = ['Ann', 'Bob', 'Cat'].map((name, index) => ({
  id: `o${index}`,
  data: { gid: `o${index}`, name },
}))

/** Fills the other entity of a copy's connector. */
async function write({ store, tenant, key, lease }: Copy, records: readonly ReadRecord[]): Promise<void> {
  const second = new Copy(store, tenant, { ...key, entity: 'others' }, lease)
  await second.begin()
  await second.commit(records)
}

export type OpenStore = (catalog: Catalog, statements?: StatementBounds) => Promise<Store>

/** Judges statements. `open` opens the same database each time, which is empty before the first time. */
export function statementsSuite(name: string, open: OpenStore): void {
  describe(`statements in ${name}`, () => {
    let searching: Searching
    let copy: Copy
    before(async () => {
      searching = await Searching.open(open)
      copy = await searching.copyOf(things)
      await write(copy, others)
      // Somebody else's, under the same names.
      const foreign = (records: readonly ReadRecord[]) =>
        records.map(({ id, data }) => ({ id, data: { ...data, name: 'FOREIGN' } }))
      await write(await searching.copyOf(foreign(things)), foreign(others))
    })
    after(() => searching.close())

    it('counts open things by assignee and month, over a join', async () => {
      const rows = await rowsOf(
        copy,
        `select o.name as who, substr(t.due_on, 1, 7) as month, count(*) as open
        from things as t join others as o on o.gid = t.assignee_gid
        where not completed group by 1, 2 order by who, month`,
      )
      const expected = new Map<string, number>()
      for (const { completed, assignee, due_on } of fieldsOfThings) {
        if (completed || assignee === null) continue
        const key = JSON.stringify([others.find(({ id }) => id === assignee.gid)!.data.name, due_on.slice(0, 7)])
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
      assert.deepEqual(
        rows.map(({ who, month, open }) => [JSON.stringify([who, month]), open]),
        [...expected].sort(([one], [other]) => (one < other ? -1 : 1)),
      )
    })

    it('gives every field as records have it', async () => {
      const rows = await rowsOf(copy, 'select * from things order by serial')
      assert.equal(rows.length, things.length)
      for (const [index, row] of rows.entries()) {
        const { assignee_gid, assignee_deep_name, ...fields } = row
        const record = fieldsOfThings[index]!
        const empty = Object.fromEntries(Object.keys(searchable).map((field) => [field, null]))
        assert.deepEqual(fields, { ...empty, ...record })
        assert.deepEqual(
          [assignee_gid, assignee_deep_name],
          [record.assignee?.gid ?? null, record.assignee?.deep.name ?? null],
        )
      }
    })

    it('keeps the digits of large numbers, and odd characters', async () => {
      const odd = await searching.copyOf([
        {
          id: 'odd',
          data: {
            gid: '\u0000\u0001\u{1F600}"\\',
            serial: 9007199254740993n,
            assignee: parseJson('{"n": 2.50, "big": 12345678901234567890, "z": "\\u0000"}'),
          },
        },
      ])
      const [row] = await rowsOf(odd, 'select gid, serial, serial + 1 as next, assignee from things')
      assert.equal(
        stringifyJson(row),
        '{"gid":"\\u0000\\u0001\u{1F600}\\"\\\\","serial":9007199254740993,"next":9007199254740994,"assignee":{"n":2.50,"big":12345678901234567890,"z":"\\u0000"}}',
      )
    })

    it('knows common table expressions, also recursive ones, windows, sets and subqueries', async () => {
      assert.deepEqual(
        await rowsOf(
          copy,
          `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 4),
            ranked as (select serial, row_number() over (partition by completed order by serial desc) as place from things)
          select n, (select serial from ranked where place = n order by serial limit 1) as serial from numbers
          union all select 0, (select max(serial) from things) order by n desc`,
        ),
        [
          { n: 4, serial: 52 },
          { n: 3, serial: 54 },
          { n: 2, serial: 56 },
          { n: 1, serial: 58 },
          { n: 0, serial: 59 },
        ],
      )
    })

    it('takes a common table expression for a table of the same name', async () => {
      assert.deepEqual(await rowsOf(copy, 'with things as (select 1 as one) select * from things'), [{ one: 1 }])
    })

    it('gives so many rows, and says that there are more', async () => {
      const { connectorId, kind } = copy.key
      const ask = (limit: number) =>
        copy.store.copies.select(
          copy.tenant,
          { connectorId, kind },
          { sql: 'select serial from things order by serial desc', limit },
        )
      const some = await ask(2)
      assert.deepEqual([parseJson(`[${some.rows}]`), some.hasMore], [[{ serial: 59 }, { serial: 58 }], true])
      assert.equal((await ask(60)).hasMore, false)
    })

    it('tells the state of the copies that it read, and of no others', async () => {
      const { connectorId, kind } = copy.key
      const { read } = await copy.store.copies.select(
        copy.tenant,
        { connectorId, kind },
        { sql: 'select count(*) as n from things', limit: 1 },
      )
      assert.deepEqual(Object.keys(read), ['things'])
      assert.equal(read.things!.records, things.length)
    })

    it('finds nothing for another tenant, or by another kind', async () => {
      const { connectorId, kind } = copy.key
      for (const tenant of [
        { organizationId: '01900000-0000-7000-8000-00000000ffff', externalUserId: null },
        { ...copy.tenant, externalUserId: 'somebody else' },
      ]) {
        const { rows, read } = await copy.store.copies.select(
          tenant,
          { connectorId, kind },
          { sql: 'select * from things', limit: 10 },
        )
        assert.equal(String(rows), '')
        assert.equal(read.things!.records, 0)
      }
    })

    it('never lets a condition meet rows of others, which an error would tell of', async () => {
      // The least number has no absolute value: this fails for the name FOREIGN alone.
      const trap = (name: string) =>
        `case when ${name} = 'FOREIGN' then abs(-9223372036854775807 - (length(${name}) - 6)) else 1 end > 0`
      assert.deepEqual(await rowsOf(copy, `select count(*) as n from things where ${trap('name')}`), [{ n: 60 }])
      const joined = `select count(*) as n from others o join things t on t.assignee_gid = o.gid and ${trap('t.name')} where ${trap('o.name')}`
      assert.deepEqual(await rowsOf(copy, joined), [{ n: 51 }])
      assert.deepEqual(
        await rowsOf(
          copy,
          `select count(*) as n from others o left join things t on ${trap('t.name')} and t.name = o.name`,
        ),
        [{ n: 3 }],
      )
    })

    it('says what is wrong with a statement, with the nearest names', async () => {
      const faults = {
        'select assigne from things': /no column "assigne".*did you mean "assignee/,
        'select t.nmae from things as t': /no column "nmae".*did you mean "name"/,
        'select * from thngs': /no table "thngs".*did you mean "things"/,
        'select * from elsewhere': /no table "elsewhere"; the tables are things, others/,
        'select pg_sleep(1)': /function "pg_sleep"/,
        'select load_extension(1)': /function "load_extension"/,
        'selec 1': /syntax error/,
        'select 1; select 2': /several statements/,
        'delete from things': /not a select statement|is a view/,
        'select t.name, o.name from things t, others o': /several columns are called "name"/,
        '': /empty/,
        '-- nothing': /empty/,
        'select 1 \u0000 from things': /U\+0000/,
      }
      for (const [sql, fault] of Object.entries(faults)) assert.match(await faultOf(copy, sql), fault, sql)
    })

    it('takes comments and a semicolon at the end', async () => {
      for (const sql of [
        'select 1 as one;',
        'select 1 as one -- end',
        'select 1 as one /* end */ ; -- end',
        '(select 1 as one)'.slice(1, -1),
      ])
        assert.deepEqual(await rowsOf(copy, sql), [{ one: 1 }], sql)
    })

    const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) as n from n'

    it('ends what does not end', async () => {
      const store = await open(sampleCatalog(), { limitMs: 300 })
      const impatient = new Copy(store, copy.tenant, copy.key, copy.lease)
      const crossed = Array.from({ length: 9 }, (_, place) => `things t${place}`).join(', ')
      for (const sql of [
        endless,
        `select count(*) as n from ${crossed}`,
        `select t0.name as n from ${crossed} order by t8.name, t7.name`,
      ])
        assert.match(await faultOf(impatient, sql), /ended after 0.3 seconds|too much memory/, sql)
      await store.close()
    })

    it('answers others meanwhile, and ends when nobody waits any more', async () => {
      const { connectorId, kind } = copy.key
      const gone = new AbortController()
      const asked = copy.store.copies.select(
        copy.tenant,
        { connectorId, kind },
        { sql: endless, limit: 1 },
        gone.signal,
      )
      let ended = false
      const outcome = assert.rejects(asked, { message: 'gone' }).finally(() => {
        ended = true
      })
      assert.equal((await rowsOf(copy, 'select 1 as one')).length, 1)
      assert.equal((await searching.ids(copy, {})).length, 60)
      assert.equal(ended, false)
      gone.abort(new Error('gone'))
      await outcome
      assert.equal((await rowsOf(copy, 'select 1 as one')).length, 1)
    })

    it('refuses answers that are too long', async () => {
      const grown = `with recursive grown (x) as (select 'xxxxxxxxxxxxxxxx' union all select x || x from grown where length(x) < 300000)`
      assert.match(
        await faultOf(copy, `${grown} select a.x from grown a, things t where length(a.x) > 300000`),
        /more than 16 MB/,
      )
    })
  })
}

export interface Escapes {
  readonly escapes: readonly string[]
  /** These may have an answer. */
  readonly heavy: readonly string[]
  /** Names that the caller knows. */
  readonly known: readonly string[]
}

/** Nothing of these may give a row of another connector, or anything that is not the connector's own. */
export function escapesSuite(name: string, open: OpenStore, { escapes, heavy, known }: Escapes): void {
  describe(`escapes from statements in ${name}`, () => {
    let searching: Searching
    let copy: Copy
    let secret: string
    before(async () => {
      searching = await Searching.open(open)
      copy = await searching.copyOf(things)
      const foreign = await searching.copyOf(things.map(({ id, data }) => ({ id, data: { ...data, name: 'FOREIGN' } })))
      secret = foreign.key.connectorId
    })
    after(() => searching.close())

    it(`lets none of ${escapes.length} out`, async () => {
      assert.ok(escapes.length >= 100)
      const faults: string[] = []
      for (const sql of escapes) {
        const fault = await escapeOf(sql)
        if (fault !== null) faults.push(`${sql.slice(0, 200)}: ${fault}`)
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(
        await rowsOf(copy, "select count(*) as n, count(case when name = 'FOREIGN' then 1 end) as f from things"),
        [{ n: 60, f: 0 }],
      )
    })

    it('answers or refuses what nests deeply and is long', async () => {
      for (const sql of heavy)
        await rowsOf(copy, sql).catch((error: unknown) => {
          assert.ok(error instanceof ConexError && error.code === 'invalid_query', `${sql.slice(0, 200)}: ${error}`)
        })
    })

    /** How a statement got out; null if it did not. */
    async function escapeOf(sql: string): Promise<string | null> {
      try {
        return `ran, with ${stringifyJson(await rowsOf(copy, sql)).slice(0, 500)}`
      } catch (error) {
        if (!(error instanceof ConexError) || error.code !== 'invalid_query') return `failed with ${error}`
        const { message } = error
        // It may repeat what the caller wrote.
        const told = message.match(/\w*(FOREIGN|answering_copies|_rest|_copy|copy_)\w*|[0-9a-f]{8}-[0-9a-f-]+/gi) ?? []
        const leaks = told.some(
          (word) => ![...known, sql.toLowerCase()].some((text) => text.includes(word.toLowerCase())),
        )
        return leaks || message.includes(secret) ? `told ${message}` : null
      }
    }
  })
}
