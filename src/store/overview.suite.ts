/** The counts of everything, in every store. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Catalog } from '../catalog/catalog.ts'
import { at, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog } from './samples.suite.ts'
import type { Store } from './store.ts'

/** `open` opens a database that nobody else uses. */
export function overviewSuite(name: string, open: (catalog: Catalog) => Promise<Store>): void {
  describe(`the overview in ${name}`, () => {
    let fixture: CopyFixture
    let store: Store
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
      store = fixture.store
    })
    after(() => fixture.close())

    it('is empty where there is nothing', async () => {
      assert.deepEqual(await store.overview.read(), { connectors: [], copies: [], deliveries: [], eventsWaiting: 0 })
    })

    it('counts connectors, copies with their records and age, deliveries, and events that wait', async () => {
      const { tenant } = fixture
      const webhook = {
        id: 'w',
        url: 'https://app.example',
        description: '',
        types: null,
        createdAt: at(0),
        updatedAt: at(0),
        failingSince: null,
        disabledAt: null,
      }
      await store.webhooks.create(tenant, webhook, 'sealed')
      for (const minute of [5, 9]) {
        const copy = await fixture.copy()
        await copy.begin(true, at(minute))
        await copy.commit([{ id: `${minute}`, data: { gid: `${minute}` } }])
        await copy.finish(at(10))
      }
      const refused = await fixture.copy()
      await refused.begin(true, at(1))
      await refused.finish(at(10))
      await store.connectors.setStatus(tenant, refused.key.connectorId, 1, 'reauthorization_required', at(2))

      const first = await store.overview.read()
      assert.deepEqual(
        first.connectors.toSorted((one, other) => one.status.localeCompare(other.status)),
        [
          { kind: 'sample-kind', status: 'active', count: 2 },
          { kind: 'sample-kind', status: 'reauthorization_required', count: 1 },
        ],
      )
      // A copy that nothing can bring up to date says nothing about how old copies are.
      assert.deepEqual(first.copies, [
        { kind: 'sample-kind', entity: 'things', status: 'finished', count: 2, records: 2, oldest: at(5) },
      ])
      assert.ok(first.eventsWaiting > 0)
      assert.deepEqual(first.deliveries, [])

      const held = await store.webhooks.take('w', 'suite', at(3), at(9))
      await store.webhooks.enqueue(held!, 1000, at(3))
      const second = await store.overview.read()
      assert.equal(second.eventsWaiting, 0)
      assert.deepEqual(second.deliveries, [{ status: 'waiting', count: first.eventsWaiting }])
    })
  })
}
