/** What happens to the copies when a version with another catalog comes, while nodes of the one before it still run or start again. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseQuery } from '../search/parse-query.ts'
import type { Searchable } from '../search/query.ts'
import { hitsIn } from './copy.ts'
import { at, Copy, CopyFixture } from './copy-fixture.suite.ts'
import { openStore } from './open.ts'
import { sampleCatalog } from './samples.suite.ts'
import type { Store } from './store.ts'

const before = { gid: 'string', name: 'string', serial: 'integer', owner: 'object', tags: 'array' } as const
/** Fields come, go and change their types. */
const after = {
  color: 'string',
  parts: 'array',
  gid: 'string',
  name: 'string',
  serial: 'string',
  weight: 'number',
} as const

const record = (id: string, name = `launch ${id}`) => ({
  id,
  data: {
    gid: id,
    name,
    owner: { name: 'ann' },
    tags: ['tag'],
    color: `color of ${name}`,
    parts: [`part of ${name}`],
    weight: 0.5,
  },
})
const serials = (records: readonly ReturnType<typeof record>[], serial: unknown) =>
  records.map(({ id, data }) => ({ id, data: { ...data, serial } }))
const three = ['1', '2', '3'].map((id) => record(id))

/** Long after all nodes of this test have opened the database. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/** Judges a database; `fresh` gives the address of an empty one, and `ask` runs a statement there. */
export function rolloutSuite(
  database: string,
  fresh: () => Promise<string>,
  ask: (url: string, sql: string) => Promise<readonly object[]>,
): void {
  describe(`a roll-out over ${database}`, () => {
    /** A node of the old version whose copy of three records is whole, and one of the new version. */
    async function rollOut() {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(before)))
      const old = await fixture.copy()
      await fullPass(old, serials(three, 1))
      const opened: Store[] = []
      const node = async (fields: Searchable) => {
        const store = await openStore(url, sampleCatalog(fields))
        opened.push(store)
        return new Copy(store, old.tenant, old.key, old.lease)
      }
      const copy = await node(after)
      const close = async () => {
        for (const store of opened) await store.close()
        await fixture.close()
      }
      return { url, old, copy, node, close }
    }

    const search = async (copy: Copy, fields: Searchable, query: object, more: object = {}) =>
      copy.search(parseQuery(fields, { query, ...more }))
    const ids = async (copy: Copy, fields: Searchable, filter: object) =>
      hitsIn(await search(copy, fields, { filter })).map(({ id }) => id)
    const stateOf = async ({ store, tenant, key }: Copy) => (await store.copies.states(tenant, key.connectorId))[0]!

    async function fullPass(copy: Copy, records: Parameters<Copy['commit']>[0]) {
      await copy.begin()
      await copy.commit(records)
      await copy.sweep()
      await copy.finish()
    }

    it('answers from the old table until the new one is whole', async () => {
      const { old, copy, close } = await rollOut()
      const isOld = async () => {
        const { hits, state } = await search(copy, after, { sort: [{ name: 'asc' }] })
        const data = { color: null, parts: null, gid: '1', name: 'launch 1', weight: null }
        assert.deepEqual(hitsIn({ hits })[0], { id: '1', score: 1, data })
        assert.deepEqual(state, { records: 3, syncedAt: at(1), complete: true, lastError: null })
        for (const [filter, found] of [
          [{ keyword: { name: '2' } }, ['2']],
          [{ like: { name: 'launch%' }, eq: { color: null } }, ['1', '2', '3']],
          [{ keyword: { color: 'launch' } }, []],
          [{ not: { contains: { parts: 'part of launch 1' } } }, ['1', '2', '3']],
          [{ or: [{ eq: { gid: '3' } }, { gt: { weight: 0 } }, { any: { parts: { eq: { gid: '1' } } } }] }, ['3']],
          // A field whose type has changed is as good as new.
          [{ in: { serial: ['1'] } }, []],
        ] as const)
          assert.deepEqual(await ids(copy, after, filter), found, JSON.stringify(filter))
        const sorted = await search(copy, after, { sort: [{ weight: 'desc' }, { serial: 'asc' }, { name: 'desc' }] })
        assert.deepEqual(
          hitsIn(sorted).map(({ id }) => id),
          ['3', '2', '1'],
        )
        const some = await search(copy, after, {}, { fields: ['name', 'color'], limit: 1 })
        assert.deepEqual(hitsIn(some)[0]?.data, { name: 'launch 1', color: null })
      }
      await isOld()
      assert.equal((await stateOf(copy)).status, 'waiting')
      const pass = await copy.begin(true, at(5))
      assert.deepEqual([pass.number, pass.full, pass.continued, pass.mark], [1, true, false, null])
      await copy.commit(serials([three[0]!, record('4')], '1'))
      await isOld()
      const { status, records, complete, syncedAt, answering } = await stateOf(copy)
      assert.deepEqual([status, records, complete, syncedAt], ['running', 2, false, null])
      assert.deepEqual([answering?.records, answering?.complete, answering?.syncedAt], [3, true, at(1)])
      await copy.store.copies.fail(copy.tenant, copy.key, copy.lease, { code: 'x', detail: 'y' }, at(6))
      await isOld()
      assert.equal((await copy.begin(true, at(7))).continued, true)
      await copy.finish(at(8))

      assert.deepEqual(await ids(copy, after, {}), ['1', '4'])
      assert.deepEqual(await ids(copy, after, { keyword: { color: 'launch' }, eq: { serial: '1' } }), ['1', '4'])
      assert.deepEqual((await search(copy, after, {})).state, {
        records: 2,
        syncedAt: at(5),
        complete: true,
        lastError: null,
      })
      assert.equal((await stateOf(copy)).answering, undefined)
      // The old node goes on with the old table.
      assert.deepEqual(await ids(old, before, { eq: { serial: 1 } }), ['1', '2', '3'])
      await close()
    })

    it('lets the old node go on writing, and takes nothing of what the new one writes', async () => {
      const { old, copy, close } = await rollOut()
      await old.begin()
      await copy.begin()
      await copy.commit(serials([record('5')], 'new'))
      await old.commit(serials([three[0]!, record('2', 'landing')], 1), ['3'])
      assert.deepEqual(await ids(old, before, { keyword: { name: 'landing' } }), ['2'])
      assert.deepEqual(await ids(copy, after, {}), ['1', '2'])
      assert.deepEqual(await old.ids(), ['1', '2'])
      assert.equal((await stateOf(copy)).records, 1)
      await old.sweep()
      await old.finish()
      await copy.finish()
      await fullPass(old, serials([three[0]!], 1))
      await fullPass(old, serials([three[0]!], 1))
      assert.deepEqual(await ids(old, before, {}), ['1'])
      assert.deepEqual(await ids(copy, after, {}), ['5'])
      await close()
    })

    it('goes on from a cursor when the new table takes over, and refuses one of a query that is another by then', async () => {
      const { copy, close } = await rollOut()
      const page = (query: object, cursor: string | null) =>
        search(copy, after, query, { limit: 2, ...(cursor !== null && { cursor }) })
      const byName = { sort: [{ name: 'asc' }] }
      const first = await page(byName, null)
      const other = await page({ filter: { eq: { color: null } } }, null)
      await fullPass(copy, serials(three, '1'))
      const seen = [first, await page(byName, first.nextCursor)].flatMap((found) => hitsIn(found).map(({ id }) => id))
      assert.deepEqual(seen, ['1', '2', '3'])
      await assert.rejects(page({ filter: { eq: { color: null } } }, other.nextCursor), { code: 'invalid_cursor' })
      await close()
    })

    it('schedules what is not filled yet, each version its own', async () => {
      const { old, copy, close } = await rollOut()
      const scheduled = async ({ store }: Copy) => {
        const [connector] = await store.schedule.page(1, '', at(90), at(91))
        return connector!.entities.map(({ status }) => status)
      }
      assert.deepEqual([await scheduled(old), await scheduled(copy)], [['finished'], []])
      await copy.begin()
      assert.deepEqual([await scheduled(old), await scheduled(copy)], [['finished'], ['running']])
      await close()
    })

    it('takes a removed copy out of sight and out of both tables, and that of a deleted connector', async () => {
      const { url, old, copy, close } = await rollOut()
      await fullPass(copy, serials(three.slice(1), '1'))
      assert.equal(await old.store.copies.remove(old.tenant, old.key.connectorId), true)
      for (const [node, fields] of [
        [old, before],
        [copy, after],
      ] as const)
        assert.deepEqual(await ids(node, fields, {}), [])
      assert.equal(await old.store.copies.purge(100), 5)
      await fullPass(old, serials(three, 1))
      await fullPass(copy, serials(three, '1'))
      await copy.store.connectors.delete(copy.tenant, copy.key.connectorId)
      assert.deepEqual(await ids(copy, after, {}), [])
      assert.equal(await copy.store.copies.purge(100), 6)
      assert.deepEqual(await ask(url, 'select * from copy_marks'), [])
      await close()
    })

    it('lets the version before start again, which goes on where it was', async () => {
      const { old, copy, node, close } = await rollOut()
      await old.begin()
      await old.remember('page 2', serials([record('1', 'landing')], 1))
      await fullPass(copy, serials(three, '1'))
      const again = await node(before)
      assert.deepEqual(await ids(again, before, { keyword: { name: 'landing' } }), ['1'])
      const { continued, checkpoint } = await again.begin()
      assert.deepEqual([continued, checkpoint], [true, 'page 2'])
      await close()
    })

    it('gives up an old table when no node has used it for a day, and its copies are whole in the new one', async () => {
      const { url, old, copy, node, close } = await rollOut()
      const tables = async () => (await ask(url, "select 1 from copy_tables where entity = 'things'")).length
      const view = async () => await ask(url, 'select name, color from sample_kind_things order by name')
      const shown = (color: (name: string) => string | null) =>
        three.map(({ data: { name } }) => ({ name, color: color(name) }))
      await copy.store.copies.retire(inDays(2))
      // The only copy that answers.
      assert.deepEqual(await ids(copy, after, {}), ['1', '2', '3'])
      assert.deepEqual(
        await view(),
        shown(() => null),
      )
      await fullPass(copy, serials(three, '1'))
      assert.deepEqual(
        await view(),
        shown((name) => `color of ${name}`),
      )
      await old.store.copies.retire(inDays(2.5))
      await copy.store.copies.retire(inDays(3))
      assert.deepEqual(await ids(old, before, {}), ['1', '2', '3'])
      assert.equal(await tables(), 2)

      await copy.store.copies.retire(inDays(5))
      assert.equal(await tables(), 2)
      assert.equal(await copy.store.copies.purge(100), 3)
      await copy.store.copies.retire(inDays(5.1))
      assert.equal(await tables(), 1)
      assert.deepEqual(
        await view(),
        shown((name) => `color of ${name}`),
      )
      assert.deepEqual(await ids(copy, after, {}), ['1', '2', '3'])

      // Who goes back after that answers from the newer table until its own is whole.
      const again = await node(before)
      assert.deepEqual(await ids(again, before, { keyword: { name: '2' } }), ['2'])
      assert.deepEqual(await ids(again, before, { eq: { serial: 1 } }), [])
      await fullPass(again, serials(three, 1))
      assert.deepEqual(await ids(again, before, { eq: { serial: 1 } }), ['1', '2', '3'])
      assert.deepEqual(await ids(copy, after, { eq: { serial: '1' } }), ['1', '2', '3'])
      await close()
    })

    it('keeps the copies of a kind that the catalog does not have, until it has it again', async () => {
      const { url, node, close } = await rollOut()
      const none = await openStore(url, { 'other-kind': { ...sampleCatalog()['sample-kind']!, kind: 'other-kind' } })
      await none.copies.retire(inDays(2))
      while ((await none.copies.purge(100)) > 0);
      await none.copies.retire(inDays(2))
      await none.close()
      assert.deepEqual(await ids(await node(before), before, { eq: { serial: 1 } }), ['1', '2', '3'])
      await close()
    })
  })
}
