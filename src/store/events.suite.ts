/** What every store has to do about events: written with the change, each once, in one order. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { EventType } from '../event-types.ts'
import type { EventFilter, StoredEvent } from './events.ts'
import type { Store } from './store.ts'
import { at, newConnector, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time. */
export function eventSuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}, as far as events go`, () => {
    let store: Store
    before(async () => {
      store = await open()
    })
    after(() => store.close())

    async function newTenant(): Promise<Tenant> {
      const organizationId = nextId()
      await store.organizations.create({ id: organizationId, name: 'home' }, at(0))
      return { organizationId, externalUserId: null }
    }

    async function create(tenant: Tenant, externalUserId = 'ann', by = store): Promise<string> {
      const connector = newConnector(tenant.organizationId, { externalUserId })
      assert.equal((await by.connectors.create(tenant, connector, 'v1.k.x')).outcome, 'created')
      return connector.id
    }

    async function read(tenant: Tenant, filter: EventFilter = {}, place: number | null = null, limit = 1000) {
      const page = await store.events.after(tenant, filter, limit, place)
      assert.equal(page.outcome, 'read')
      return page as Extract<typeof page, { outcome: 'read' }>
    }
    const said = (events: readonly StoredEvent[]): EventType[] => events.map(({ type }) => type)

    it('tells the life of a connector, each event once and in its order', async () => {
      const tenant = await newTenant()
      const id = await create(tenant)
      const { update, setStatus, replaceCredentials } = store.connectors
      await update(tenant, id, { name: 'other', sync: (before) => before }, at(2))
      await setStatus(tenant, id, 1, 'reauthorization_required', at(3))
      await setStatus(tenant, id, 1, 'reauthorization_required', at(4))
      await replaceCredentials(tenant, id, 1, 'v1.k.y', at(5))
      await replaceCredentials(tenant, id, 2, 'v1.k.z', at(6))
      await setStatus(tenant, id, 3, 'reauthorization_required', at(7))
      await update(tenant, id, { credentials: { authMethod: 'oauth', sealed: 'v1.k.a' } }, at(8))
      await setStatus(tenant, id, 4, 'reauthorization_required', at(9))
      await setStatus(tenant, id, 4, 'active', at(10))
      await store.connectors.delete(tenant, id)
      const { events, position, more } = await read(tenant)
      assert.deepEqual(said(events), [
        'connector.created',
        'connector.updated',
        'connector.reauthorization_required',
        'connector.recovered',
        'connector.reauthorization_required',
        'connector.updated',
        'connector.recovered',
        'connector.reauthorization_required',
        'connector.recovered',
        'connector.deleted',
      ])
      assert.deepEqual(
        events.map((event) => event.position),
        events.map((_, index) => index + 1),
      )
      assert.deepEqual([position, more], [events.length, false])
      for (const event of events)
        assert.deepEqual([event.connectorId, event.externalUserId, event.connectorType], [id, 'ann', 'asana'])
      assert.deepEqual(events[1]!.details, { changed: ['name', 'sync'] })
      assert.equal(new Set(events.map((event) => event.id)).size, events.length)
      assert.ok(!JSON.stringify(events).includes('v1.k.'))
    })

    it('tells nothing of a change that did not come about', async () => {
      const tenant = await newTenant()
      const id = await create(tenant)
      const other = await create(tenant)
      const { name } = (await store.connectors.find(tenant, other))!
      assert.equal((await store.connectors.update(tenant, id, { name }, at(2))).outcome, 'name taken')
      assert.equal(await store.connectors.setStatus(tenant, id, 9, 'reauthorization_required', at(2)), false)
      assert.equal(await store.connectors.delete(tenant, nextId()), false)
      assert.deepEqual(said((await read(tenant)).events), ['connector.created', 'connector.created'])
    })

    it('tells that the connectors of an end user went with them, one by one', async () => {
      const tenant = await newTenant()
      const ids = [await create(tenant, 'leaving'), await create(tenant, 'leaving')]
      await create(tenant, 'staying')
      await store.connectors.deleteEndUser(tenant, 'leaving')
      const { events } = await read(tenant, { types: ['connector.deleted'] })
      assert.deepEqual(
        events.map(({ connectorId, externalUserId }) => [connectorId, externalUserId]),
        ids.map((id) => [id, 'leaving']),
      )
    })

    it('tells consents that were given once, and those that failed', async () => {
      const tenant = await newTenant()
      const grant = {
        secretHash: nextId(),
        externalUserId: 'ann',
        connectorType: 'gong',
        sealed: 's',
        expiresAt: at(60),
      }
      await store.consents.keepGrant(tenant, grant, at(1))
      await store.consents.keepGrant(tenant, grant, at(1))
      await store.consents.fail(tenant, grant, 'denied', at(2))
      const { events } = await read(tenant)
      assert.deepEqual(said(events), ['consent.finished', 'consent.failed'])
      assert.deepEqual(
        events.map(({ connectorId, externalUserId, connectorType, details }) => [
          connectorId,
          externalUserId,
          connectorType,
          details,
        ]),
        [
          [null, 'ann', 'gong', {}],
          [null, 'ann', 'gong', { reason: 'denied' }],
        ],
      )
    })

    it('is read page by page, and goes on behind what a filter left out', async () => {
      const tenant = await newTenant()
      const mine = await create(tenant, 'ann')
      for (let more = 0; more < 4; more++) await create(tenant, 'bob')
      await store.connectors.delete(tenant, mine)
      const seen: number[] = []
      let place = 0
      for (let more = true; more; ) {
        const page = await read(tenant, {}, place, 2)
        assert.ok(page.events.length <= 2)
        seen.push(...page.events.map(({ position }) => position))
        ;({ position: place, more } = page)
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6])
      for (const filter of [{ externalUserId: 'ann' }, { connectorId: mine }]) {
        const { events, position } = await read(tenant, filter)
        assert.deepEqual(
          events.map((event) => event.position),
          [1, 6],
        )
        assert.equal(position, 6)
      }
      const none = await read(tenant, { types: ['sync.failed'] })
      assert.deepEqual([none.events, none.position, none.more], [[], 6, false])
    })

    it('shows nothing of one organization to another', async () => {
      const [one, other] = [await newTenant(), await newTenant()]
      const id = await create(one)
      assert.deepEqual((await read(other)).events, [])
      assert.deepEqual((await read(other, { connectorId: id })).events, [])
      assert.equal(await store.events.newest(other), 0)
      const newest = await store.events.newestOf([one.organizationId, other.organizationId])
      assert.deepEqual([...newest], [[one.organizationId, 1]])
    })

    it('misses nothing and doubles nothing for a reader beside many writers on several nodes', async () => {
      const tenant = await newTenant()
      const nodes = [store, await open(), await open()]
      let writing = true
      const writers = Promise.all(
        nodes.map(async (node, index) => {
          for (let round = 0; round < 15; round++) {
            const made = await Promise.all([create(tenant, `user ${index}`, node), create(tenant, 'all', node)])
            await node.connectors.delete(tenant, made[0])
          }
        }),
      ).finally(() => {
        writing = false
      })
      const seen: StoredEvent[] = []
      let place = 0
      for (let last = false; !last; ) {
        last = !writing
        const page = await read(tenant, {}, place, 7)
        seen.push(...page.events)
        place = page.position
        last &&= !page.more
      }
      await writers
      await Promise.all(nodes.slice(1).map((node) => node.close()))
      assert.deepEqual(
        seen.map(({ position }) => position),
        Array.from({ length: 3 * 15 * 3 }, (_, index) => index + 1),
      )
      for (const [id, events] of Map.groupBy(seen, ({ connectorId }) => connectorId))
        assert.match(said(events).join(' '), /^connector\.created( connector\.deleted)?$/, String(id))
    })

    it('forgets what is old, a few at a time, and says so to those who have not read it', async () => {
      const tenant = await newTenant()
      const { organizationId } = tenant
      const { prune } = store.events
      const id = await create(tenant)
      for (const minute of [2, 3, 4]) await store.connectors.update(tenant, id, { name: `name ${minute}` }, at(minute))
      assert.equal(await prune(organizationId, at(3), at(9), 1), 1)
      assert.equal(await prune(organizationId, at(3), at(9), 10), 1)
      assert.equal(await prune(organizationId, at(3), at(9), 10), 0)
      assert.deepEqual(
        (await read(tenant)).events.map(({ position }) => position),
        [3, 4],
      )
      assert.deepEqual(
        (await read(tenant, {}, 2)).events.map(({ position }) => position),
        [3, 4],
      )
      assert.deepEqual(await store.events.after(tenant, {}, 10, 1), { outcome: 'gone' })
      assert.deepEqual(await store.events.after(tenant, { types: ['sync.failed'] }, 10, 1), { outcome: 'gone' })
      assert.equal(await prune(organizationId, at(99), at(99), 10), 2)
      assert.deepEqual(await read(tenant), { outcome: 'read', events: [], position: 4, more: false })
      await store.connectors.update(tenant, id, { name: 'last' }, at(5))
      assert.deepEqual(
        (await read(tenant, {}, 4)).events.map(({ position }) => position),
        [5],
      )
      assert.deepEqual(await store.events.after(tenant, {}, 10, 6), { outcome: 'unknown' })
    })

    it('is not kept for ever by a clock that was ahead', async () => {
      const tenant = await newTenant()
      const id = await create(tenant)
      await store.connectors.update(tenant, id, { name: 'ahead' }, at(100_000))
      await store.connectors.update(tenant, id, { name: 'right' }, at(2))
      await store.connectors.update(tenant, id, { name: 'new' }, at(8))
      assert.equal(await store.events.prune(tenant.organizationId, at(5), at(9), 10), 3)
      assert.deepEqual(said((await read(tenant)).events), ['connector.updated'])
    })
  })
}
