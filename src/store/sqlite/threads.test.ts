import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { ConexError } from '../../errors.ts'
import { parseQuery } from '../../search/parse-query.ts'
import { type Copy, CopyFixture } from '../copy-fixture.suite.ts'
import { searchableEntities } from '../entity-tables.ts'
import { openStore } from '../open.ts'
import { sampleCatalog, searchable } from '../samples.suite.ts'
import { copyThreads } from './copy-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-threads-'))
const file = join(folder, 'conex.db')
const entities = searchableEntities(sampleCatalog())
let fixture: CopyFixture
let copy: Copy

before(async () => {
  fixture = await CopyFixture.open(() => openStore(`sqlite:${file}`, sampleCatalog()))
  copy = await fixture.copy()
  await copy.begin()
  await copy.commit(
    Array.from({ length: 3000 }, (_, index) => ({ id: String(index), data: { name: `name ${index}` } })),
  )
})
after(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true })
})

const everything = parseQuery(searchable, {
  query: { filter: { not: { like: { name: '%nowhere%' } } } },
  limit: 10_000,
})
const nothing = parseQuery(searchable, { query: { filter: { not: { like: { name: '%' } } } } })

it('ends a search that takes longer than it may, with what to do about it', async () => {
  const { copies, close } = copyThreads(file, entities, { limitMs: 0 })
  await assert.rejects(copies.search(copy.tenant, copy.key, nothing), (error) => {
    assert.ok(error instanceof ConexError)
    assert.equal(error.code, 'invalid_query')
    assert.match(error.message, /narrow it/)
    assert.equal(error.issues?.[0]?.path, '/params/query')
    return true
  })
  // The thread goes on with the next one.
  const quick = parseQuery(searchable, { query: { filter: { eq: { name: 'name 7' } } } })
  assert.equal((await copies.search(copy.tenant, copy.key, quick)).count, 1)
  await close()
})

it('ends a search of few records in time as well, where each of them takes long', async () => {
  const { copies, close } = copyThreads(file, entities, { limitMs: 0 })
  const few = await fixture.copy()
  const found = async (data: object, filter: object) => {
    await few.begin()
    // None of them is one of those after which time is looked at anyway.
    const numbers = [1, 2].map((number) => ({ id: `${JSON.stringify(data).length} ${number}`, data }))
    await few.commit(numbers as never)
    await few.finish()
    return copies.search(few.tenant, few.key, parseQuery(searchable, { query: { filter } }))
  }
  const [plain, other, inside] = ['a'.repeat(10_000), 'ä'.repeat(300_000), { text: 'a'.repeat(300_000) }]
  const pattern = `%${'a_'.repeat(90)}b%`
  await assert.rejects(found({ name: plain }, { like: { name: pattern } }), /narrow it/)
  await assert.rejects(found({ name: other }, { like: { name: pattern } }), /narrow it/)
  await assert.rejects(found({ assignee: inside }, { like: { assignee: pattern } }), /narrow it/)
  await assert.rejects(found({ name: 'a' }, { or: Array(256).fill({ like: { name: pattern } }) }), /narrow it/)
  await close()
})

it('gives everybody a turn, however many searches one has waiting', async () => {
  const { copies, close } = copyThreads(file, entities, { searchers: 1 })
  const other = await fixture.copy()
  const done: string[] = []
  const search = (name: string, { tenant, key }: Copy) =>
    copies.search(tenant, key, everything).then(() => done.push(name))
  await Promise.all([...Array.from({ length: 6 }, () => search('greedy', copy)), search('modest', other)])
  assert.ok(done.indexOf('modest') <= 2, done.join())
  await close()
})

it('leaves the thread that answers requests free while it searches and writes', async () => {
  const { copies, close } = copyThreads(file, entities)
  let turns = 0
  let busy = true
  const counting = (async () => {
    while (busy) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
  })()
  await Promise.all(Array.from({ length: 10 }, () => copies.search(copy.tenant, copy.key, everything)))
  busy = false
  await counting
  assert.ok(turns > 100, `${turns} turns`)
  await close()
})

it('leaves nothing behind at the signal of a caller whose search has ended', async () => {
  const { signal } = new AbortController()
  const quick = parseQuery(searchable, { query: { filter: { eq: { name: 'name 7' } } } })
  for (let time = 0; time < 3; time++) assert.equal((await copy.search(quick, signal)).count, 1)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

it('gives others their turn to write while it removes many records', async () => {
  const { store } = fixture
  const large = await fixture.copy()
  const records = Array.from({ length: 900 }, (_, index) => ({ id: String(index), data: {} }))
  const pass = async (met: number) => {
    await large.begin()
    await large.commit(records.slice(0, met))
    const done: string[] = []
    const swept = large.sweep().finally(() => done.push('swept'))
    await store.ledgers.write('key', 'ledger', 0, '2026', '2027').finally(() => done.push('written'))
    const outcome = await swept
    await large.finish()
    return [outcome, done] as const
  }
  await pass(900)
  const [missed] = await pass(500)
  assert.deepEqual(missed, { outcome: 'swept', removed: 0, missing: 400 })
  const [removed, done] = await pass(500)
  assert.deepEqual(removed, { outcome: 'swept', removed: 400, missing: 0 })
  assert.deepEqual(done, ['written', 'swept'])
  assert.equal((await large.ids()).length, 500)
})

it('drops searches that nobody waits for, and asks nothing after it is closed', async () => {
  const { copies, close } = copyThreads(file, entities, { searchers: 1 })
  const leaving = new AbortController()
  const searches = Array.from({ length: 4 }, () => copies.search(copy.tenant, copy.key, everything, leaving.signal))
  leaving.abort(new Error('hung up'))
  for (const search of searches) await assert.rejects(search, /hung up/)
  assert.equal((await copies.search(copy.tenant, copy.key, nothing)).count, 0)
  const last = copies.search(copy.tenant, copy.key, everything)
  const closed = close()
  await assert.rejects(last, /closed/)
  await closed
  await assert.rejects(copies.search(copy.tenant, copy.key, nothing), /closed/)
})

it('shows people the catalog’s names and nothing else', () => {
  const database = new Database(file, { readonly: true })
  const row = database.prepare('select * from sample_kind_things where record_id = ?').get('7') as Record<
    string,
    unknown
  >
  assert.deepEqual(Object.keys(row), ['connector_id', 'record_id', ...Object.keys(searchable)])
  assert.equal(row.connector_id, copy.key.connectorId)
  assert.equal(row.name, 'name 7')
  // Every index of records leads with the copy, so that one connector's searches never touch another's.
  const indexes = database
    .prepare("select sql from sqlite_schema where type = 'index' and tbl_name like 'copy_sample%' and sql is not null")
    .pluck()
    .all() as string[]
  assert.ok(indexes.length > 8)
  for (const sql of indexes) assert.match(sql, /\(_copy, /)
  database.close()
})
