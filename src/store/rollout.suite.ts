/** What happens to the copies when a version with another catalog comes, while nodes of the one before it still run or start again. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseQuery } from '../search/parse-query.ts'
import type { Searchable } from '../search/query.ts'
import { hitsIn } from './copy.ts'
import { Copy, CopyFixture } from './copy-fixture.suite.ts'
import { openStore } from './open.ts'
import { sampleCatalog } from './samples.suite.ts'

const before = { gid: 'string', name: 'string', serial: 'integer', owner: 'object', tags: 'array' } as const
/** The new fields stand before the others. */
const after = { color: 'string', parts: 'array', weight: 'number', ...before } as const

const record = (id: string, name: string, owner: string) => ({
  id,
  data: {
    ...{ gid: id, name, serial: 1, owner: { name: owner }, tags: [`tag of ${owner}`] },
    ...{ color: `color of ${name}`, parts: [`part of ${name}`], weight: 0.5 },
  },
})

/** Judges a database; `fresh` gives the address of an empty one. */
export function rolloutSuite(database: string, fresh: () => Promise<string>): void {
  describe(`a roll-out over ${database}`, () => {
    const search = async (copy: Copy, fields: Searchable, filter: object) => {
      return hitsIn(await copy.search(parseQuery(fields, { query: { filter } })))
    }
    const ids = async (...asked: Parameters<typeof search>) => (await search(...asked)).map(({ id }) => id).sort()

    async function fullPass(copy: Copy, records: Parameters<Copy['commit']>[0]) {
      await copy.begin()
      const { changed } = await copy.commit(records)
      await copy.finish()
      return changed
    }

    it('keeps the fields of a newer version when an older one starts again', async () => {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(after), '0.10.0'))
      const copy = await fixture.copy()
      await fullPass(copy, [record('1', 'launch', 'ann')])
      await assert.rejects(openStore(url, sampleCatalog(before), '0.9.0'), (error: Error) => {
        assert.equal(
          error.message,
          'The database was last used by a newer version of Conex (its sample-kind things have the fields of version 0.10.0, this is 0.9.0). Start that version, or restore an older backup.',
        )
        return true
      })
      assert.deepEqual(await ids(copy, after, { keyword: { color: 'launch' } }), ['1'])
      await fixture.close()
    })

    it('lets an older version in whose fields are the same, in whatever order', async () => {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(after), '2.0.0'))
      const copy = await fixture.copy()
      await fullPass(copy, [record('1', 'launch', 'ann')])
      const reordered = Object.fromEntries(Object.entries(after).reverse())
      const older = await openStore(url, sampleCatalog(reordered), '1.0.0')
      const itsCopy = new Copy(older, copy.tenant, copy.key, copy.lease)
      for (const filter of [{ keyword: { owner: 'ann' } }, { keyword: { color: 'launch' } }, { eq: { weight: 0.5 } }])
        assert.deepEqual(await ids(itsCopy, reordered, filter), ['1'])
      assert.deepEqual(await fullPass(itsCopy, [record('1', 'launch', 'ann')]), [])
      await older.close()
      await fixture.close()
    })

    it('fills a field that was gone in between, though the records look as before', async () => {
      const url = await fresh()
      const fields = { ...before, color: 'string' } as const
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(fields), '1.0.0'))
      const copy = await fixture.copy()
      await fullPass(copy, [record('1', 'launch', 'ann')])
      await fixture.close()
      // One version whose catalog is being worked on.
      await (await openStore(url, sampleCatalog(before), '1.0.0')).close()
      const again = await openStore(url, sampleCatalog(fields), '1.0.0')
      const itsCopy = new Copy(again, copy.tenant, copy.key, copy.lease)
      assert.deepEqual(await ids(itsCopy, fields, { eq: { color: null } }), ['1'])
      assert.deepEqual(await fullPass(itsCopy, [record('1', 'launch', 'ann')]), ['1'])
      assert.deepEqual(await ids(itsCopy, fields, { keyword: { color: 'launch' } }), ['1'])
      await again.close()
    })

    it('takes nothing from the nodes that still run, and loses nothing that they write', async () => {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(before), '0.9.0'))
      const old = await fixture.copy()
      const [first, second, third] = ['1', '2', '3'].map((id) => record(id, `launch ${id}`, 'ann'))
      await old.begin()
      await old.commit([first!, second!, third!])
      assert.deepEqual(await ids(old, before, { keyword: { owner: 'ann' } }), ['1', '2', '3'])

      const newer = await openStore(url, sampleCatalog(after), '0.10.0')
      const copy = new Copy(newer, old.tenant, old.key, old.lease)
      for (const filter of [{ keyword: { owner: 'ann' } }, { like: { name: 'launch%' } }, { eq: { serial: 1 } }]) {
        assert.deepEqual(await ids(old, before, filter), ['1', '2', '3'], JSON.stringify(filter))
        assert.deepEqual(await ids(copy, after, filter), ['1', '2', '3'], JSON.stringify(filter))
      }
      // The page that the old node writes next: one changed, one new, one gone, one as before.
      const page = [first!, record('2', 'landing', 'bob'), record('4', 'landing', 'bob')]
      const written = await old.commit(page, ['3'])
      assert.deepEqual([...written.changed].sort(), ['1', '2', '4'])
      assert.equal(written.removed, 1)
      for (const [node, fields] of [
        [old, before],
        [copy, after],
      ] as const) {
        assert.deepEqual(await node.ids(), ['1', '2', '4'])
        assert.deepEqual(await ids(node, fields, { keyword: { owner: 'bob' } }), ['2', '4'])
        assert.deepEqual(await ids(node, fields, { keyword: { tags: 'ann' } }), ['1'])
        assert.deepEqual(await ids(node, fields, { like: { name: '%andin%' } }), ['2', '4'])
        assert.deepEqual(await ids(node, fields, { eq: { name: 'launch 3' } }), [])
      }
      assert.deepEqual(await ids(copy, after, { eq: { color: null, parts: null } }), ['1', '2', '4'])
      await old.sweep()
      await old.finish()

      // The newer node fills its fields; what the old one writes after that, it writes again.
      assert.deepEqual([...(await fullPass(copy, page))].sort(), ['1', '2', '4'])
      assert.deepEqual(await ids(copy, after, { keyword: { color: 'landing', parts: 'landing' } }), ['2', '4'])
      assert.deepEqual(await ids(old, before, { keyword: { owner: 'bob' } }), ['2', '4'])
      const last = record('4', 'orbit', 'eve')
      await old.begin(false)
      await old.commit([last])
      await old.finish()
      assert.deepEqual(await ids(copy, after, { keyword: { owner: 'eve' } }), ['4'])
      assert.deepEqual(await fullPass(copy, [page[0]!, page[1]!, last]), ['4'])
      assert.deepEqual((await search(copy, after, { keyword: { color: 'orbit' } }))[0]?.data, last.data)
      await newer.close()
      // Until it ends, the old node takes copies away and clears up behind them.
      assert.equal(await old.store.copies.remove(old.tenant, old.key.connectorId), true)
      assert.equal(await old.store.copies.purge(100), 3)
      await fixture.close()
    })

    it('gives hits of what an older node has written that knows of no objects and arrays', async () => {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog({ name: 'string' }), '1.0.0'))
      const old = await fixture.copy()
      const fields = { name: 'string', parts: 'array', owner: 'object' } as const
      const newer = await openStore(url, sampleCatalog(fields), '2.0.0')
      const copy = new Copy(newer, old.tenant, old.key, old.lease)
      await fullPass(old, [record('1', 'launch', 'ann')])
      const [hit] = await search(copy, fields, { keyword: { name: 'launch' } })
      assert.deepEqual(hit, { id: '1', score: 1, data: { name: 'launch' } })
      await newer.close()
      await fixture.close()
    })

    it('writes nothing for a node that still has a field which is gone, and goes on where that node was', async () => {
      const url = await fresh()
      const fixture = await CopyFixture.open(() => openStore(url, sampleCatalog(after), '1.0.0'))
      const old = await fixture.copy()
      await old.begin()
      const page = { records: [record('1', 'launch', 'ann')] }
      await fixture.store.copies.commit(old.tenant, old.key, old.lease, page, { part: '', value: 'page 2' })
      const newer = await openStore(url, sampleCatalog(before), '2.0.0')
      const copy = new Copy(newer, old.tenant, old.key, old.lease)
      const late = { records: [record('1', 'orbit', 'bob'), record('2', 'landing', 'bob')], gone: [] }
      await assert.rejects(
        fixture.store.copies.commit(old.tenant, old.key, old.lease, late, { part: '', value: 'page 3' }),
      )
      assert.deepEqual(await ids(copy, before, { keyword: { owner: 'ann' } }), ['1'])
      assert.deepEqual(await copy.ids(), ['1'])
      assert.equal((await copy.begin()).continued, true)
      assert.equal(await newer.copies.checkpoint(copy.tenant, copy.key, ''), 'page 2')
      assert.deepEqual([...(await copy.commit(late.records)).changed].sort(), ['1', '2'])
      assert.deepEqual(await ids(copy, before, { keyword: { owner: 'bob' } }), ['1', '2'])
      await newer.close()
      await fixture.close()
    })
  })
}
