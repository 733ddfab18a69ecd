/** What every store does with copies: pages, passes, sweeps, leases, and what is removed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { parseQuery } from '../search/parse-query.ts'
import { hitsIn } from './copy.ts'
import { at, Copy, CopyFixture } from './copy-fixture.suite.ts'
import { LeaseLost } from './leases.ts'
import { sampleCatalog, searchable } from './samples.suite.ts'
import type { Store } from './store.ts'
import type { Tenant } from './tenant.ts'

const record = (id: string | number, name = `name ${id}`) => ({ id: String(id), data: { name } })
const records = (count: number) => Array.from({ length: count }, (_, index) => record(index))

/** Judges the copies of a store. `open` opens the same database each time, which is empty before the first time. */
export function copySuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`copies in ${name}`, () => {
    let fixture: CopyFixture
    let store: Store
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
      store = fixture.store
    })
    after(() => fixture.close())

    const state = async ({ tenant, key }: Copy) =>
      (await store.copies.states(tenant, key.connectorId)).find(({ entity }) => entity === key.entity)!

    /** One whole full pass over these records. */
    const pass = async (copy: Copy, ...given: Parameters<Copy['commit']>) => {
      await copy.begin()
      await copy.commit(...given)
      const swept = await copy.sweep()
      await copy.finish()
      return swept
    }

    const found = async (copy: Copy, filter: object = {}) =>
      hitsIn(await copy.search(parseQuery(searchable, { query: { filter } }))).map(({ id }) => id)

    it('writes a page and its checkpoint together, and twice changes nothing', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      const write = () => copy.remember({ offset: 'x' }, records(3))
      assert.deepEqual(await write(), { changed: ['0', '1', '2'], unchanged: 0, removed: 0 })
      assert.deepEqual(await write(), { changed: [], unchanged: 3, removed: 0 })
      assert.deepEqual((await copy.begin()).checkpoint, { offset: 'x' })
      assert.equal((await state(copy)).records, 3)
      await copy.commit([record(4)])
      assert.deepEqual((await copy.begin()).checkpoint, { offset: 'x' })
    })

    it('writes nothing of a page that cannot be written whole', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      const page = { records: [record(1)], gone: [null as unknown as string], checkpoint: 1 }
      await assert.rejects(store.copies.commit(copy.tenant, copy.key, copy.lease, page))
      assert.deepEqual(await copy.ids(), [])
      assert.equal((await copy.begin()).checkpoint, null)
    })

    it('tells what changed, takes the last of two with one id, and forgets what is said to be gone', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      await copy.commit([record(1), record(2), record(3)])
      const written = await copy.commit([record(1), record(2, 'other'), record(4), record(4, 'last')], ['3', 'unknown'])
      assert.deepEqual(written, { changed: ['2', '4'], unchanged: 1, removed: 1 })
      assert.deepEqual(await copy.ids(), ['1', '2', '4'])
      assert.deepEqual(await found(copy, { eq: { name: 'last' } }), ['4'])
      assert.deepEqual(await found(copy, { keyword: { name: 'other' } }), ['2'])
      assert.deepEqual(await found(copy, { eq: { name: 'name 2' } }), [])
      assert.equal((await state(copy)).records, 3)
    })

    it('gives others their turn while it goes through a page that takes long', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      let turns = 0
      const timer = setInterval(() => turns++)
      const seen = new Set<number>()
      const slow = records(60).map(({ id, data }) => ({
        id,
        data: {
          ...data,
          get notes() {
            for (const end = performance.now() + 1; performance.now() < end; );
            seen.add(turns)
            return 'long'
          },
        },
      }))
      await copy.commit(slow)
      clearInterval(timer)
      assert.ok(seen.size > 3, `others had ${seen.size} turns`)
    })

    it('continues a pass that was cut, with its checkpoint, and begins anew after one that ended', async () => {
      const copy = await fixture.copy()
      const first = await copy.begin(true, at(1))
      const anew = { continued: false, checkpoint: null }
      assert.deepEqual(first, { number: 1, full: true, startedAt: at(1), mark: null, ...anew })
      await copy.remember('page 2')
      // Whatever is wanted, the full pass is brought to its end first.
      const continued = { ...first, continued: true, checkpoint: 'page 2' }
      assert.deepEqual(await copy.begin(false, at(2)), continued)
      await store.copies.fail(copy.tenant, copy.key, copy.lease, { code: 'upstream_error', detail: 'Broken.' }, at(3))
      assert.deepEqual(await copy.begin(true, at(4)), continued)
      await store.copies.finish(copy.tenant, copy.key, copy.lease, { since: at(1) }, at(5))
      const second = await copy.begin(false, at(6))
      assert.deepEqual(second, { number: 2, full: false, startedAt: at(6), mark: { since: at(1) }, ...anew })
      await copy.remember('changes 2')
      // A partial pass that was cut gives way to a full one.
      const third = { number: 3, full: true, startedAt: at(7), mark: { since: at(1) }, ...anew }
      assert.deepEqual(await copy.begin(true, at(7)), third)
      await copy.remember('page 3')
      await store.copies.fail(copy.tenant, copy.key, copy.lease, { code: 'x', detail: 'y' }, at(8), true)
      assert.deepEqual(await copy.begin(true, at(9)), { ...third, number: 4, startedAt: at(9) })
    })

    it('says how an entity stands', async () => {
      const copy = await fixture.copy()
      assert.deepEqual(await store.copies.states(copy.tenant, copy.key.connectorId), [])
      await copy.begin(true, at(1))
      const progress = { records: 2, total: 10, partsDone: 1, parts: 5 }
      await store.copies.commit(copy.tenant, copy.key, copy.lease, { records: records(2), progress })
      await copy.commit([record(1)])
      const running = {
        entity: 'things',
        status: 'running',
        records: 2,
        complete: false,
        syncedAt: null,
        finishedAt: null,
        lastError: null,
        progress,
        mark: null,
      }
      assert.deepEqual(await state(copy), running)
      const error = { code: 'upstream_error', detail: 'The system answered 500.' }
      await store.copies.fail(copy.tenant, copy.key, copy.lease, error, at(2))
      assert.deepEqual(await state(copy), { ...running, status: 'failed', lastError: { ...error, at: at(2) } })
      await copy.begin(true, at(3))
      await copy.finish(at(4))
      const finished = {
        ...running,
        status: 'finished',
        complete: true,
        syncedAt: at(1),
        finishedAt: at(4),
        progress: null,
      }
      assert.deepEqual(await state(copy), finished)
      // A partial pass that fails leaves the copy whole, a full one does not.
      await copy.begin(false, at(5))
      await store.copies.fail(copy.tenant, copy.key, copy.lease, error, at(6), true)
      assert.equal((await state(copy)).complete, true)
      await copy.begin(true, at(7))
      assert.equal((await state(copy)).complete, true)
      await store.copies.fail(copy.tenant, copy.key, copy.lease, error, at(8))
      assert.equal((await state(copy)).complete, false)
      const { state: searched } = await copy.search(parseQuery(searchable, { query: {} }))
      assert.deepEqual(searched, { records: 2, syncedAt: at(1), complete: false, lastError: { ...error, at: at(8) } })
    })

    it('removes a record with the second full pass that does not meet it, and not before', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(5))
      assert.deepEqual(await pass(copy, records(4)), { outcome: 'swept', removed: 0, missing: 1 })
      assert.deepEqual(await copy.ids(), ['0', '1', '2', '3', '4'])
      assert.deepEqual(await pass(copy, records(4)), { outcome: 'swept', removed: 1, missing: 0 })
      assert.deepEqual(await copy.ids(), ['0', '1', '2', '3'])
      assert.deepEqual(await found(copy, { keyword: { name: '4' } }), [])
      assert.equal((await state(copy)).records, 4)
    })

    it('keeps a record that comes back in between, in a full pass or a partial one', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(5))
      await pass(copy, records(4))
      await copy.begin(false)
      await copy.commit([record(4)])
      await copy.finish()
      assert.deepEqual(await pass(copy, records(4)), { outcome: 'swept', removed: 0, missing: 1 })
      await pass(copy, records(5))
      assert.deepEqual(await pass(copy, records(4)), { outcome: 'swept', removed: 0, missing: 1 })
      assert.equal((await copy.ids()).length, 5)
    })

    it('counts a pass once, however often it is swept, and a record that is born in it as met', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(3))
      await copy.begin()
      await copy.commit([record(0), record('born')])
      const swept = { outcome: 'swept', removed: 0, missing: 2 }
      assert.deepEqual(await copy.sweep(), swept)
      assert.deepEqual(await copy.sweep(), swept)
      const { filter } = parseQuery(searchable, { query: { filter: { neq: { name: 'name 1' } } } })
      assert.deepEqual(await store.copies.unmetIds(copy.tenant, copy.key, 9), ['1', '2'])
      assert.deepEqual(await store.copies.unmetIds(copy.tenant, copy.key, 1), ['1'])
      await copy.passOver(filter)
      assert.deepEqual(await store.copies.unmetIds(copy.tenant, copy.key, 9), ['2'])
    })

    it('never removes anything in a partial pass', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(3))
      for (let time = 0; time < 3; time++) {
        await copy.begin(false)
        await copy.commit([record(0)])
        await assert.rejects(copy.sweep())
        await copy.finish()
      }
      assert.equal((await copy.ids()).length, 3)
    })

    it('leaves alone what a pass did not cover', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(6))
      const within = parseQuery(searchable, {
        query: { filter: { in: { name: ['name 0', 'name 1', 'name 2'] } } },
      }).filter
      for (let time = 0; time < 2; time++) {
        await copy.begin()
        await copy.commit([record(0)])
        await copy.passOver(within)
        await copy.sweep()
        await copy.finish()
      }
      assert.deepEqual(await copy.ids(), ['0', '3', '4', '5'])
    })

    it('takes a pass that did not cover a record for none that missed it', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(6))
      await copy.begin()
      await copy.commit(records(5))
      const within = parseQuery(searchable, { query: { filter: { neq: { name: 'name 5' } } } }).filter
      await copy.passOver(within)
      assert.deepEqual(await copy.sweep(), { outcome: 'swept', removed: 0, missing: 0 })
      await copy.finish()
      assert.deepEqual(await pass(copy, records(5)), { outcome: 'swept', removed: 0, missing: 1 })
      assert.deepEqual(await pass(copy, records(5)), { outcome: 'swept', removed: 1, missing: 0 })
    })

    it('takes a pass that was not swept for none that missed a record', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(6))
      for (let time = 0; time < 2; time++) {
        await copy.begin()
        await copy.commit(records(5))
        await copy.finish()
      }
      assert.deepEqual(await pass(copy, records(5)), { outcome: 'swept', removed: 0, missing: 1 })
      assert.equal((await copy.ids()).length, 6)
    })

    it('does not remove more than half of an entity unless told to', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(40))
      await pass(copy, records(19))
      await copy.begin()
      await copy.commit(records(19))
      const refused = await copy.sweep()
      assert.equal(refused.outcome, 'refused')
      assert.ok(refused.outcome === 'refused' && refused.records === 40 && refused.wouldRemove === 21)
      assert.match(refused.reason, /21 of 40 records of things/)
      assert.equal((await copy.ids()).length, 40)
      assert.deepEqual(await copy.sweep(true), { outcome: 'swept', removed: 21, missing: 0 })
      const small = await fixture.copy()
      await pass(small, records(5))
      await pass(small, [])
      assert.deepEqual(await pass(small, []), { outcome: 'swept', removed: 5, missing: 0 })
    })

    it('keeps what belongs to different connectors, entities and tenants apart', async () => {
      const connectorId = await fixture.connector('ann')
      const things = await fixture.copy('things', connectorId)
      const others = new Copy(store, things.tenant, { ...things.key, entity: 'others' }, things.lease)
      await others.begin()
      await others.remember(2, [record('other')])
      await things.begin()
      await things.commit([record('thing')])
      assert.deepEqual(await others.ids(), ['other'])
      assert.deepEqual(await things.ids(), ['thing'])
      assert.equal((await things.begin()).checkpoint, null)
      const bob: Tenant = { organizationId: fixture.tenant.organizationId, externalUserId: 'bob' }
      const stolen = new Copy(store, bob, things.key, things.lease)
      assert.deepEqual(await stolen.ids(), [])
      assert.deepEqual(await store.copies.states(bob, connectorId), [])
      assert.deepEqual(await store.copies.unmetIds(bob, things.key, 9), [])
      assert.equal(await store.copies.remove(bob, connectorId), false)
      for (const write of [() => stolen.commit([record('bad')]), () => stolen.begin(), () => stolen.sweep()])
        await assert.rejects(write, LeaseLost)
      const states = await store.copies.states(things.tenant, connectorId)
      assert.deepEqual(
        states.map(({ entity }) => entity),
        ['others', 'things'],
      )
    })

    it('takes a copy out of sight at once and out of the database in small steps', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(25))
      while ((await store.copies.purge(1000)) > 0);
      assert.equal(await store.copies.remove(copy.tenant, copy.key.connectorId), true)
      assert.equal(await store.copies.remove(copy.tenant, copy.key.connectorId), false)
      assert.deepEqual(await found(copy), [])
      assert.deepEqual(await copy.ids(), [])
      // A new copy of the same connector is not touched by what is left of the old one.
      await pass(copy, [record('new')])
      assert.deepEqual(
        [await store.copies.purge(10), await store.copies.purge(10), await store.copies.purge(10)],
        [10, 10, 5],
      )
      assert.equal(await store.copies.purge(10), 0)
      assert.deepEqual(await found(copy), ['new'])
    })

    it('clears up behind copies of kinds that this version does not know', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(3))
      while ((await store.copies.purge(1000)) > 0);
      await store.copies.remove(copy.tenant, copy.key.connectorId)
      const older = await open({})
      assert.equal(await older.copies.purge(1000), 3)
      assert.equal(await older.copies.purge(1000), 0)
      await older.close()
    })

    it('shows nothing of a deleted connector again, and lets nobody write for it', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(3))
      assert.equal(await store.connectors.delete(copy.tenant, copy.key.connectorId), true)
      await assert.rejects(copy.commit([record('late')]), LeaseLost)
      await assert.rejects(copy.begin(), LeaseLost)
      assert.deepEqual(await found(copy), [])
      assert.equal(await store.copies.purge(1000), 3)
    })

    it('tells how many records each pass changed, those of a pass that was cut with the next, and nothing if there were none', async () => {
      const copy = await fixture.copy()
      await pass(copy, records(3))
      await pass(copy, records(3))
      await copy.begin(false)
      await copy.commit([record(1, 'other'), record(7)], ['0'])
      const lease = await store.leases.take(copy.tenant, copy.key.connectorId, 'another', at(61), at(99))
      const next = new Copy(store, copy.tenant, copy.key, lease!)
      await next.begin(false)
      await next.commit([record(1, 'again'), record(8)])
      await store.copies.fail(next.tenant, next.key, next.lease, { code: 'upstream_error', detail: 'x' }, at(3))
      // Two full passes have not met the records 1, 2 and 7.
      await pass(next, [record(8)])
      await pass(next, [record(8)])
      const { tenant, key } = copy
      const page = await store.events.after(
        tenant,
        { connectorId: key.connectorId, types: ['records.changed'] },
        10,
        null,
      )
      assert.ok(page.outcome === 'read')
      assert.deepEqual(
        page.events.map(({ details, externalUserId }) => [details, externalUserId]),
        [
          [{ entity: 'things', inserted: 3, updated: 0, deleted: 0 }, 'ann'],
          [{ entity: 'things', inserted: 2, updated: 2, deleted: 1 }, 'ann'],
          [{ entity: 'things', inserted: 0, updated: 0, deleted: 3 }, 'ann'],
        ],
      )
    })

    it('tells nothing more of a sync whose lease was lost', async () => {
      const { tenant, key, lease } = await fixture.copy()
      const started = (run_id: string) =>
        ({ type: 'sync.started', at: at(1), details: { run_id, entities: null, full: false } }) as const
      await store.leases.tell(tenant, lease, started('first'))
      const taken = await store.leases.take(tenant, key.connectorId, 'another', at(61), at(99))
      await assert.rejects(store.leases.tell(tenant, lease, started('late')), LeaseLost)
      await store.leases.tell(tenant, taken!, started('second'))
      await store.connectors.delete(tenant, key.connectorId)
      await assert.rejects(store.leases.tell(tenant, taken!, started('deleted')), LeaseLost)
      const page = await store.events.after(tenant, { connectorId: key.connectorId, types: ['sync.started'] }, 10, null)
      assert.ok(page.outcome === 'read')
      assert.deepEqual(
        page.events.map(({ details }) => details.run_id),
        ['first', 'second'],
      )
    })

    it('keeps everything over a restart', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      await copy.remember(7, records(2))
      const again = await open(sampleCatalog())
      assert.deepEqual(await copy.ids(again), ['0', '1'])
      const { continued, checkpoint } = await again.copies.begin(copy.tenant, copy.key, copy.lease, true, at(9))
      assert.deepEqual([continued, checkpoint], [true, 7])
      await again.close()
    })
  })
}
