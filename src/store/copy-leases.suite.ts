/** What every store does with leases: one holder at a time, and no late write by another. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { at, CopyFixture } from './copy-fixture.suite.ts'
import { LeaseLost } from './leases.ts'
import { sampleCatalog } from './samples.suite.ts'
import type { Store } from './store.ts'

const record = (id: number) => ({ id: String(id), data: { name: `name ${id}` } })

/** Judges the leases of a store. `open` opens the same database each time, which is empty before the first time. */
export function copyLeasesSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`leases of copies in ${name}`, () => {
    let fixture: CopyFixture
    let store: Store
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
      store = fixture.store
    })
    after(() => fixture.close())

    it('gives the lease of a connector to one holder at a time', async () => {
      const connectorId = await fixture.connector()
      const { tenant } = fixture
      const takes = await Promise.all(
        ['a', 'b', 'c'].map((holder) => store.leases.take(tenant, connectorId, holder, at(0), at(10))),
      )
      assert.equal(takes.filter((lease) => lease !== null).length, 1)
      const [lease] = takes.filter((lease) => lease !== null)
      assert.ok(lease)
      assert.ok(['a', 'b', 'c'].includes((await store.leases.holder(tenant, connectorId, at(9), at(60))) ?? ''))
      assert.equal(await store.leases.holder(tenant, connectorId, at(10), at(60)), null)
      assert.equal(await store.leases.renew(lease, at(20)), true)
      assert.equal(await store.leases.take(tenant, connectorId, 'd', at(15), at(30)), null)
      const next = await store.leases.take(tenant, connectorId, 'd', at(20), at(30))
      assert.ok(next !== null && next.token > lease.token)
      assert.equal(await store.leases.renew(lease, at(60)), false)
      await store.leases.release(lease)
      assert.equal(await store.leases.holder(tenant, connectorId, at(21), at(60)), 'd')
      await store.leases.release(next)
      assert.equal(await store.leases.holder(tenant, connectorId, at(21), at(60)), null)
      const last = await store.leases.take(tenant, connectorId, 'e', at(22), at(30))
      assert.ok(last !== null && last.token > next.token)
      const stranger = { organizationId: tenant.organizationId, externalUserId: 'bob' }
      assert.equal(await store.leases.take(stranger, connectorId, 'f', at(99), at(100)), null)
    })

    it('believes no lease further than one can reach: a clock that was ahead took it', async () => {
      const connectorId = await fixture.connector()
      const { tenant } = fixture
      const ahead = await store.leases.take(tenant, connectorId, 'ahead', at(60), at(61))
      assert.ok(ahead !== null)
      const scheduled = async (): Promise<boolean> =>
        (await store.schedule.page(1000, '', at(0), at(1))).some(({ id }) => id === connectorId)
      assert.equal(await store.leases.holder(tenant, connectorId, at(0), at(1)), null)
      assert.equal(await scheduled(), true)
      const right = await store.leases.take(tenant, connectorId, 'right', at(0), at(1))
      assert.ok(right !== null && right.token > ahead.token)
      assert.equal(await store.leases.renew(ahead, at(62)), false)
      // One that a clock took which is no more ahead than clocks may be is as good as any.
      const soon = new Date(Date.parse(at(0)) - 3_000).toISOString()
      const end = new Date(Date.parse(at(1)) - 3_000).toISOString()
      assert.equal(await store.leases.take(tenant, connectorId, 'other', soon, end), null)
      assert.equal(await store.leases.holder(tenant, connectorId, soon, end), 'right')
      assert.equal(await scheduled(), false)
    })

    it('writes nothing for a holder who lost the lease', async () => {
      const copy = await fixture.copy()
      await copy.begin()
      await copy.commit([record(1)])
      const taken = await store.leases.take(copy.tenant, copy.key.connectorId, 'other', at(90), at(99))
      assert.ok(taken !== null)
      const { tenant, key, lease } = copy
      const writes: (() => Promise<unknown>)[] = [
        () => copy.begin(),
        () => copy.commit([record(2)], ['1']),
        () => copy.remember('page 2'),
        () => copy.sweep(),
        () => copy.finish(),
        () => store.copies.fail(tenant, key, lease, { code: 'x', detail: 'y' }, at(91)),
      ]
      for (const write of writes) await assert.rejects(write, LeaseLost)
      assert.deepEqual(await copy.ids(), ['1'])
      const [state] = await store.copies.states(tenant, key.connectorId)
      assert.equal(state?.status, 'running')
      // Nor for one who gave it back, nor for the lease of another connector.
      await store.leases.release(taken)
      await assert.rejects(store.copies.begin(tenant, key, taken, true, at(92)), LeaseLost)
      const other = await fixture.copy()
      await assert.rejects(store.copies.commit(tenant, key, other.lease, { records: [record(3)] }), LeaseLost)
    })
  })
}
