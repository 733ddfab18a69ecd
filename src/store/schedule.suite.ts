/** What the schedule is told, and how a lease is taken away, in every store. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { at, CopyFixture } from './copy-fixture.suite.ts'
import { LeaseLost } from './leases.ts'
import { sampleCatalog } from './samples.suite.ts'
import type { ScheduledConnector } from './schedule.ts'
import type { Store } from './store.ts'

/** `open` opens the same database each time. */
export function scheduleSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`the schedule in ${name}`, () => {
    let fixture: CopyFixture
    let store: Store
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
      store = fixture.store
    })
    after(() => fixture.close())

    const found = async (id: string, now = at(90)): Promise<ScheduledConnector | undefined> =>
      (await store.schedule.page(1000, '', now, at(200))).find((one) => one.id === id)

    it('knows each connector with what is known of its entities', async () => {
      const things = await fixture.copy()
      const { connectorId } = things.key
      await things.begin()
      await things.finish(at(2))
      const others = { ...things.key, entity: 'others' }
      await store.copies.begin(things.tenant, others, things.lease, true, at(3))
      await store.copies.fail(things.tenant, others, things.lease, { code: 'upstream_error', detail: 'x' }, at(4), true)
      const never = await fixture.connector()
      const connector = await found(connectorId)
      assert.deepEqual(connector, {
        id: connectorId,
        organizationId: fixture.tenant.organizationId,
        externalUserId: 'ann',
        connectorType: 'sample-kind',
        status: 'active',
        sync: { enabled: true, intervalSeconds: 3600 },
        createdAt: at(0),
        entities: [
          {
            entity: 'others',
            status: 'failed',
            finishedAt: null,
            lastError: { code: 'upstream_error', detail: 'x', at: at(4) },
          },
          { entity: 'things', status: 'finished', finishedAt: at(2), lastError: null },
        ],
      })
      assert.deepEqual((await found(never))?.entities, [])
    })

    it('leaves out those that are not to be synced, and those that somebody syncs', async () => {
      const { tenant } = fixture
      const off = await fixture.connector()
      await store.connectors.update(tenant, off, { sync: () => ({ enabled: false, intervalSeconds: 60 }) }, at(1))
      const refused = await fixture.connector()
      await store.connectors.setStatus(tenant, refused, 1, 'reauthorization_required', at(1))
      const { key, lease } = await fixture.copy()
      assert.deepEqual(await Promise.all([found(off), found(refused), found(key.connectorId, at(59))]), [
        undefined,
        undefined,
        undefined,
      ])
      assert.ok(await found(key.connectorId, at(60)))
      await store.leases.release(lease)
      assert.ok(await found(key.connectorId, at(59)))
    })

    it('comes page by page', async () => {
      for (let more = 0; more < 5; more++) await fixture.connector(`user ${more}`)
      const all = (await store.schedule.page(1000, '', at(90), at(200))).map(({ id }) => id)
      const walked: string[] = []
      for (;;) {
        const page = await store.schedule.page(2, walked.at(-1) ?? '', at(90), at(200))
        walked.push(...page.map(({ id }) => id))
        if (page.length < 2) break
      }
      assert.deepEqual(walked, all)
    })

    it('loses nobody to a lease that was taken away, whose holder can write nothing more', async () => {
      const copy = await fixture.copy()
      const { connectorId } = copy.key
      await store.leases.revoke({ organizationId: fixture.tenant.organizationId, externalUserId: 'bob' }, connectorId)
      await copy.begin()
      await store.leases.revoke(copy.tenant, connectorId)
      await assert.rejects(copy.begin(), LeaseLost)
      await assert.rejects(copy.commit([{ id: '1', data: {} }]), LeaseLost)
      assert.equal(await store.leases.renew(copy.lease, at(80)), false)
      const next = await store.leases.take(copy.tenant, connectorId, 'next', at(1), at(2))
      assert.ok(next !== null && next.token > copy.lease.token)
    })
  })
}
