import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ConexError } from '../../errors.ts'
import { parseQuery } from '../../search/parse-query.ts'
import { hitsIn } from '../copy.ts'
import { at, type Copy, CopyFixture } from '../copy-fixture.suite.ts'
import { tableId } from '../entity-tables.ts'
import { LeaseLost } from '../leases.ts'
import { openStore } from '../open.ts'
import { indexed, sampleCatalog, searchable } from '../samples.suite.ts'
import type { Store } from '../store.ts'
import { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let url: string
let fixture: CopyFixture
/** Another node on the same database. */
let other: Store
let database: Database
before(async () => {
  server = await startPostgres()
  url = await server.freshDatabase()
  fixture = await CopyFixture.open(() => openStore(url, sampleCatalog()))
  other = await openStore(url, sampleCatalog())
  database = new Database(url, { connections: 2, statementMs: 10_000 })
})
after(async () => {
  await Promise.all([fixture.close(), other.close(), database.close()])
  await server.stop()
})

const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), data: { name: `name ${index}` } }))

it('gives the lease of a connector to one of the nodes that want it at once', async () => {
  for (let time = 0; time < 20; time++) {
    const connectorId = await fixture.connector()
    const takes = await Promise.all(
      [fixture.store, other, fixture.store, other].map((store, index) =>
        store.leases.take(fixture.tenant, connectorId, `node ${index}`, at(0), at(10)),
      ),
    )
    assert.equal(takes.filter((lease) => lease !== null).length, 1)
  }
})

it('refuses the late write of a holder that stalled, whatever the moment at which the lease is taken over', async () => {
  for (let time = 0; time < 20; time++) {
    const copy = await fixture.copy()
    await copy.begin()
    await copy.commit(records(3))
    const late = copy.commit([{ id: `late ${time}`, data: {} }]).then(
      () => 'written',
      (error) => error,
    )
    const taken = await other.leases.take(copy.tenant, copy.key.connectorId, 'another', at(61), at(99))
    assert.ok(taken !== null && taken.token > copy.lease.token)
    const known = await copy.ids(other)
    const outcome = await late
    // Either it was there before the lease was lost, or it never comes.
    if (outcome === 'written') assert.ok(known.includes(`late ${time}`))
    else assert.ok(outcome instanceof LeaseLost)
    assert.deepEqual(await copy.ids(other), known)
    await assert.rejects(copy.commit([{ id: 'later', data: {} }]), LeaseLost)
    await other.copies.begin(copy.tenant, copy.key, taken, true, at(62))
  }
})

it('leaves nothing of a connector that one node deletes while another writes its copy', async () => {
  for (let time = 0; time < 10; time++) {
    const copy = await fixture.copy()
    await copy.begin()
    const writes = Promise.allSettled([copy.commit(records(50)), copy.begin(), copy.commit(records(60))])
    assert.equal(await other.connectors.delete(copy.tenant, copy.key.connectorId), true)
    for (const write of await writes) if (write.status === 'rejected') assert.ok(write.reason instanceof LeaseLost)
    assert.deepEqual(await copy.ids(), [])
  }
  while ((await other.copies.purge(100)) > 0);
  const table = tableId({ kind: 'sample-kind', entity: 'things', searchable, indexed })
  const [left] = await database.all<{ n: number }>(
    `select count(*)::int as n from ${table} as t where not exists (select 1 from copies where number = t._copy)`,
  )
  assert.equal(left!.n, 0)
  assert.deepEqual(await database.all('select 1 from copy_remains'), [])
})

it('writes a page and its checkpoint together or not at all, whichever of the two the database refuses', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  const write = (page: ReturnType<typeof records>, checkpoint: string) => copy.remember(checkpoint, page)
  await write(records(2), 'first')
  const table = 'alter table copies'
  // An identifier that no index can hold.
  const tooLong = { id: randomBytes(10_000).toString('base64'), data: { name: 'long' } }
  await assert.rejects(write([...records(3), tooLong], 'second'), /index row/)
  await database.run(`${table} add constraint refusing check (checkpoint <> '"second"')`)
  await assert.rejects(write(records(3), 'second'), /refusing/)
  await database.run(`${table} drop constraint refusing`)
  assert.deepEqual(await copy.ids(), ['0', '1'])
  assert.equal((await copy.begin()).checkpoint, 'first')
  await write(records(3), 'second')
  assert.deepEqual(await copy.ids(), ['0', '1', '2'])
})

it('shows no event while one before it is still being written', async () => {
  const { tenant } = fixture
  const before = await other.events.newest(tenant)
  const read = async () => {
    const page = await other.events.after(tenant, {}, 1000, before)
    assert.ok(page.outcome === 'read')
    return page.events.map(({ connectorId }) => connectorId)
  }
  const written = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const { organizationId } = tenant
  const slow = database.transaction(async (session) => {
    await session.run('update event_heads set last = last + 1 where organization_id = $1', organizationId)
    await session.run(
      `insert into events (organization_id, position, id, type, at, connector_id, details)
        select organization_id, last, 'slow', 'connector.deleted', '', 'slow', '{}' from event_heads where organization_id = $1`,
      organizationId,
    )
    written.resolve()
    await ended.promise
  })
  await written.promise
  const quick = fixture.connector()
  // It waits for the lock of the slow one.
  for (let waiting = 0; waiting === 0; )
    [{ waiting }] = (await database.all<{ waiting: number }>(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )) as [{ waiting: number }]
  assert.deepEqual(await read(), [])
  ended.resolve()
  await slow
  assert.equal((await read())[0], 'slow')
  const id = await quick
  assert.deepEqual(await read(), ['slow', id])
})

it('counts records rightly when several pages are written at once', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  await Promise.all(Array.from({ length: 8 }, () => copy.commit(records(40))))
  const [state] = await other.copies.states(copy.tenant, copy.key.connectorId)
  assert.equal(state?.records, 40)
})

it('finds the same before and after the database has learnt which words are frequent, and when they no longer are', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  const many = Array.from({ length: 6000 }, (_, index) => ({
    id: String(index).padStart(4, '0'),
    data: { name: `${index % 2 === 0 ? 'common' : 'usual'} ${index % 1500 === 7 ? 'rare' : `n${index}`}` },
  }))
  for (let from = 0; from < many.length; from += 1000) await copy.commit(many.slice(from, from + 1000))
  const ids = async (name: string, op: 'keyword' | 'fuzzy' | 'like', limit = 3) => {
    const found = await copy.search(parseQuery(searchable, { query: { filter: { [op]: { name } } }, limit }))
    return hitsIn(found).map(({ id }) => id)
  }
  const found = async () => [
    await ids('common', 'keyword'),
    await ids('rare', 'keyword', 10),
    await ids('usu', 'fuzzy'),
    await ids('com ra', 'fuzzy'),
    await ids('%ual rar%', 'like', 10),
  ]
  const expected = [
    ['0000', '0002', '0004'],
    ['0007', '1507', '3007', '4507'],
    ['0001', '0003', '0005'],
    [],
    ['0007', '1507', '3007', '4507'],
  ]
  assert.deepEqual(await found(), expected)
  await database.run('analyze')
  for (let time = 0; time < 3; time++) assert.deepEqual(await found(), expected)
  // What is known of words is of another time than the records.
  await copy.commit(many.slice(0, 1000).map(({ id }) => ({ id, data: { name: 'rare' } })))
  assert.deepEqual((await ids('rare', 'keyword', 5000)).length, 1003)
  assert.deepEqual(await ids('common', 'keyword'), ['1000', '1002', '1004'])
})

const slow = parseQuery(searchable, { query: { filter: { like: { notes: '%a%b%c%d%e%' } } } })
/** Each text is compared from its every place, so that this runs into any time limit. */
const endless = parseQuery(searchable, { query: { filter: { like: { notes: `%${'abcd '.repeat(400)}e%` } } } })
const all = parseQuery(searchable, { query: {} })

async function longCopy(): Promise<Copy> {
  const copy = await fixture.copy()
  await copy.begin()
  await copy.commit(
    Array.from({ length: 300 }, (_, index) => ({ id: String(index), data: { notes: 'abcd '.repeat(20_000) } })),
  )
  return copy
}

it('searches the copy that is there now, when another node has removed the one that was searched before', async () => {
  const copy = await fixture.copy()
  const search = async () => {
    const found = await copy.search(all)
    return [hitsIn(found).map(({ id }) => id), found.state.complete]
  }
  assert.deepEqual(await search(), [[], false])
  await copy.begin()
  await copy.commit(records(3))
  await copy.finish()
  for (let time = 0; time < 3; time++) {
    assert.deepEqual(await search(), [['0', '1', '2'], true])
    assert.equal(await other.copies.remove(copy.tenant, copy.key.connectorId), true)
    if (time === 1) assert.deepEqual(await search(), [[], false])
    await other.copies.begin(copy.tenant, copy.key, copy.lease, true, at(3))
    assert.deepEqual(await search(), [[], false])
    await other.copies.commit(copy.tenant, copy.key, copy.lease, { records: records(3) })
    await other.copies.finish(copy.tenant, copy.key, copy.lease, null, at(4))
  }
})

it('goes on from a cursor over the copy that is there now', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  await copy.commit(records(4))
  const page = (cursor: string | null) =>
    copy.search(parseQuery(searchable, { query: {}, limit: 2, ...(cursor !== null && { cursor }) }))
  const first = await page(null)
  await other.copies.remove(copy.tenant, copy.key.connectorId)
  await other.copies.begin(copy.tenant, copy.key, copy.lease, true, at(3))
  await other.copies.commit(copy.tenant, copy.key, copy.lease, { records: records(5) })
  const second = await page(first.nextCursor)
  assert.deepEqual(
    hitsIn(second).map(({ id }) => id),
    ['2', '3'],
  )
})

it('shows nobody else a copy that its owner has searched before', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  await copy.commit(records(2))
  const strangers = [
    { ...copy.tenant, externalUserId: 'bob' },
    { organizationId: '01900000-0000-7000-8000-0000000bad00', externalUserId: null },
  ]
  for (let time = 0; time < 2; time++) {
    assert.equal((await copy.search(all)).count, 2)
    for (const tenant of strangers) assert.equal((await copy.store.copies.search(tenant, copy.key, all)).count, 0)
  }
  await other.connectors.delete(copy.tenant, copy.key.connectorId)
  assert.equal((await copy.search(all)).count, 0)
})

it('ends a search that takes longer than it may, with what to do about it', async () => {
  const copy = await longCopy()
  const hasty = await openPostgres(url, sampleCatalog(), { limitMs: 150, searchers: 1 })
  await assert.rejects(hasty.copies.search(copy.tenant, copy.key, endless), (error) => {
    assert.ok(error instanceof ConexError)
    assert.equal(error.code, 'invalid_query')
    assert.match(error.message, /narrow it/)
    assert.equal(error.issues?.[0]?.path, '/params/query')
    return true
  })
  // The connection goes on with the next one.
  const empty = await fixture.copy()
  assert.equal((await hasty.copies.search(empty.tenant, empty.key, all)).count, 0)
  await hasty.close()
})

it('ends a search in the database when nobody waits for it any more', async () => {
  const copy = await longCopy()
  const patient = await openPostgres(url, sampleCatalog(), { limitMs: 600_000 })
  const leaving = new AbortController()
  const searches = Array.from({ length: 8 }, () =>
    patient.copies.search(copy.tenant, copy.key, endless, leaving.signal),
  )
  const running = (condition: string) =>
    database.all(
      `select 1 from pg_stat_activity where state = 'active' and query like 'select t.\\_id%' and pid <> pg_backend_pid() and ${condition}`,
    )
  // One that runs for so long is past the time after which the database ends it by itself.
  const isLong = "now() - query_start > interval '1 second'"
  while ((await running(isLong)).length === 0) await wait(20)
  leaving.abort(new Error('hung up'))
  for (const search of await Promise.allSettled(searches))
    assert.ok(search.status === 'rejected' && /hung up/.test(String(search.reason)))
  // A connection counts as active for a moment after it has told that its statement was cancelled.
  for (let left = 100; left > 0 && (await running('true')).length > 0; left--) await wait(20)
  assert.deepEqual(await running('true'), [])
  assert.equal((await patient.copies.search(copy.tenant, copy.key, all)).count, 300)
  await patient.close()
})

it('answers short searches while long ones wait for each other', async () => {
  const copy = await longCopy()
  const modest = await fixture.copy()
  const leaving = new AbortController()
  let ended = 0
  const searches = Array.from({ length: 8 }, () =>
    copy.search(endless, leaving.signal).finally(() => {
      ended++
    }),
  )
  for (let time = 0; time < 3; time++) assert.equal((await modest.search(all)).count, 0)
  assert.equal(ended, 0)
  leaving.abort(new Error('hung up'))
  await Promise.allSettled(searches)
})

it('goes on searching while a newer node adds a column to a table that all have', async () => {
  const store = await openPostgres(url, sampleCatalog(), { searchers: 1 })
  const [first, second] = [await fixture.copy(), await fixture.copy()]
  const search = ({ tenant, key }: Copy) => store.copies.search(tenant, key, all)
  await search(first)
  await database.run('alter table copies add column later text')
  try {
    for (const copy of [second, first, second]) assert.equal((await search(copy)).count, 0)
  } finally {
    await database.run('alter table copies drop column later')
    await store.close()
  }
})

it('gives everybody a turn, however many searches one has waiting', async () => {
  const greedy = await longCopy()
  const modest = await fixture.copy()
  const store = await openPostgres(url, sampleCatalog(), { searchers: 1 })
  const done: string[] = []
  const search = (name: string, { tenant, key }: Copy) =>
    store.copies.search(tenant, key, slow).then(() => done.push(name))
  await Promise.all([...Array.from({ length: 6 }, () => search('greedy', greedy)), search('modest', modest)])
  assert.ok(done.indexOf('modest') <= 2, done.join())
  await store.close()
})

it('answers other requests while more searches run than there are connections for them', async () => {
  const copy = await longCopy()
  const searches = Promise.all(Array.from({ length: 12 }, () => copy.search(slow)))
  let answered = 0
  let busy = true
  void searches.finally(() => {
    busy = false
  })
  while (busy) {
    await fixture.store.connectors.find(copy.tenant, copy.key.connectorId)
    answered++
  }
  await searches
  assert.ok(answered > 20, `${answered} answers`)
})

it('shows people the catalog’s names and nothing else', async () => {
  const copy = await fixture.copy()
  await copy.begin()
  await copy.commit([{ id: '7', data: { name: 'name 7', tags: ['a\0b', 'c'], assignee: { gid: '1' } } }])
  const [row] = await database.all<Record<string, unknown>>(
    'select * from sample_kind_things where connector_id = $1',
    copy.key.connectorId,
  )
  assert.deepEqual(Object.keys(row!), ['connector_id', 'record_id', ...Object.keys(searchable)])
  assert.equal(row!.name, 'name 7')
  assert.deepEqual(row!.assignee, { gid: '1' })
  const [tag] = await database.all<{ tag: string }>(
    "select tags ->> 1 as tag from sample_kind_things where connector_id = $1 and assignee ->> 'gid' = '1'",
    copy.key.connectorId,
  )
  assert.equal(tag!.tag, 'c')
})
