/** What every store has to do about organizations and connectors, whatever database is behind it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IdempotencyKey, StoredConnector } from './connectors.ts'
import type { Client, Organization } from './organizations.ts'
import type { Store } from './store.ts'
import { at, newConnector, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time, which is empty before the first time. */
export function storeSuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}`, () => {
    let store: Store
    const organization: Organization = { id: nextId(), name: 'first', createdAt: at(0) }
    const client: Client = { id: 'client-1', organizationId: organization.id, secretHash: 'hash-1' }
    const wide: Tenant = { organizationId: organization.id, externalUserId: null }
    const ann: Tenant = { organizationId: organization.id, externalUserId: 'ann' }
    const bob: Tenant = { organizationId: organization.id, externalUserId: 'bob' }
    const stranger: Tenant = { organizationId: nextId(), externalUserId: null }

    const connector = (changes: Partial<StoredConnector> = {}) => newConnector(organization.id, changes)
    const create = async (changes: Partial<StoredConnector> = {}, sealed = 'sealed'): Promise<StoredConnector> => {
      const created = await store.connectors.create(wide, connector(changes), sealed)
      assert.equal(created.outcome, 'created')
      return (created as { connector: StoredConnector }).connector
    }

    before(async () => {
      store = await open()
    })
    after(() => store.close())

    it('makes the first organization once, however many nodes start at once', async () => {
      assert.deepEqual(await store.organizations.list(), [])
      const other = await open()
      const outcomes = await Promise.all([
        store.organizations.createFirst(organization, client),
        other.organizations.createFirst(organization, { ...client, id: 'client-2' }),
        store.organizations.createFirst(organization, { ...client, id: 'client-3' }),
      ])
      await other.close()
      // Which of them comes first is the database's to say.
      assert.equal(outcomes.filter((made) => made).length, 1)
      assert.deepEqual(await store.organizations.list(), [{ ...organization, clients: 1, connectors: 0 }])
      for (const [place, made] of outcomes.entries()) {
        const id = `client-${place + 1}`
        assert.deepEqual(await store.organizations.findClient(id), made ? { ...client, id } : null)
      }
      const another = { ...organization, id: nextId() }
      assert.equal(await store.organizations.createFirst(another, { ...client, id: 'client-4' }), false)
    })

    it('replaces the secret of a client, but never that of another organization', async () => {
      assert.equal(await store.organizations.putClient({ ...client, secretHash: 'hash-2' }, at(2)), true)
      assert.equal((await store.organizations.findClient(client.id))?.secretHash, 'hash-2')
      const foreign = { ...client, organizationId: stranger.organizationId }
      assert.equal(await store.organizations.putClient(foreign, at(2)), false)
      assert.equal((await store.organizations.findClient(client.id))?.organizationId, organization.id)
    })

    it('gives back a connector as it was created', async () => {
      const wanted = connector({
        externalUserId: 'Zoë "quoted" \u{1f600}',
        name: "O'Brien; drop table connectors",
        replicationConfig: { start_date: '2024-01-01T00:00:00Z', lookback_window: 0, join_channels: false },
        sync: { enabled: false, intervalSeconds: 60 },
      })
      assert.deepEqual(await store.connectors.create(wide, wanted, 'sealed'), { outcome: 'created', connector: wanted })
      assert.deepEqual(await store.connectors.find(wide, wanted.id), wanted)
      assert.deepEqual(await store.connectors.findWithCredentials(wide, wanted.id), {
        connector: wanted,
        credentials: { sealed: 'sealed', version: 1 },
      })
    })

    it('shows nothing of a connector to another end user or organization', async () => {
      const { id } = await create({ externalUserId: 'ann' })
      for (const tenant of [bob, stranger, { ...stranger, externalUserId: 'ann' }]) {
        assert.equal(await store.connectors.find(tenant, id), null)
        assert.equal(await store.connectors.findWithCredentials(tenant, id), null)
        assert.deepEqual(await store.connectors.update(tenant, id, { name: 'stolen' }, at(2)), { outcome: 'missing' })
        assert.equal(await store.connectors.replaceCredentials(tenant, id, 1, 'stolen'), false)
        assert.equal(await store.connectors.setStatus(tenant, id, 1, 'deleting', at(2)), false)
        assert.equal(await store.connectors.delete(tenant, id), false)
        const { connectors } = await store.connectors.list(tenant, {}, 1000, null)
        assert.ok(connectors.every((found) => found.id !== id))
      }
      assert.equal((await store.connectors.findWithCredentials(ann, id))?.credentials.sealed, 'sealed')
    })

    it('writes what an end user creates under that end user, whatever the connector says', async () => {
      const created = await store.connectors.create(bob, connector({ externalUserId: 'ann', name: 'mislabelled' }), 's')
      assert.equal(created.outcome, 'created')
      const { connectors } = await store.connectors.list(wide, { externalUserId: 'bob' }, 1000, null)
      assert.ok(connectors.some(({ name }) => name === 'mislabelled'))
    })

    it('keeps names unique per end user and kind, and tells which connector has the name', async () => {
      const first = await create({ name: 'same' })
      const taken = { outcome: 'name taken', existingId: first.id }
      assert.deepEqual(await store.connectors.create(wide, connector({ name: 'same' }), 'other'), taken)
      assert.equal((await store.connectors.findWithCredentials(wide, first.id))?.credentials.sealed, 'sealed')
      await create({ name: 'same', externalUserId: 'bob' })
      await create({ name: 'same', connectorType: 'gong' })
      const second = await create({ name: 'different' })
      assert.deepEqual(await store.connectors.update(wide, second.id, { name: 'same' }, at(2)), taken)
      assert.equal((await store.connectors.update(wide, first.id, { name: 'same' }, at(2))).outcome, 'updated')
    })

    it('creates one connector of several creations with one name at once', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => store.connectors.create(wide, connector({ name: 'contested' }), 's')),
      )
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1)
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'name taken').length, 9)
    })

    it('answers a repeated creation with the first result, even when it runs at the same time', async () => {
      const key: IdempotencyKey = { key: 'once', requestHash: 'h' }
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => store.connectors.create(wide, connector({ name: 'once' }), 's', key)),
      )
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1)
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'repeated').length, 9)
      const ids = new Set(outcomes.map((one) => (one as { connector: StoredConnector }).connector.id))
      assert.equal(ids.size, 1)
      await store.connectors.update(wide, [...ids][0]!, { name: 'renamed' }, at(3))
      const later = await store.connectors.create(wide, connector({ name: 'once' }), 's', key)
      assert.equal(later.outcome, 'repeated')
      assert.equal((later as { connector: StoredConnector }).connector.name, 'once')
    })

    it('refuses an idempotency key that was used for another request', async () => {
      const key: IdempotencyKey = { key: 'reused', requestHash: 'one' }
      await store.connectors.create(wide, connector(), 's', key)
      const wanted = connector()
      const again = await store.connectors.create(wide, wanted, 's', { ...key, requestHash: 'two' })
      assert.deepEqual(again, { outcome: 'key taken' })
      assert.equal(await store.connectors.find(wide, wanted.id), null)
    })

    it('tells the idempotency keys of different callers apart', async () => {
      const key: IdempotencyKey = { key: 'shared', requestHash: 'h' }
      for (const tenant of [wide, ann, bob]) {
        const created = await store.connectors.create(tenant, connector(), 's', key)
        assert.equal(created.outcome, 'created')
      }
    })

    it('does not keep an idempotency key of a creation that failed', async () => {
      const key: IdempotencyKey = { key: 'failed', requestHash: 'h' }
      await create({ name: 'in the way' })
      const refused = await store.connectors.create(wide, connector({ name: 'in the way' }), 's', key)
      assert.equal(refused.outcome, 'name taken')
      assert.equal((await store.connectors.create(wide, connector(), 's', key)).outcome, 'created')
    })

    it('lists by age, page after page, each connector once', async () => {
      const mine = []
      for (let index = 0; index < 7; index++) mine.push((await create({ externalUserId: 'pager' })).id)
      for (const limit of [1, 2, 3, 7, 8]) {
        const seen: string[] = []
        for (let next: string | null = null, pages = 0; pages < 10; pages++) {
          const page = await store.connectors.list(wide, { externalUserId: 'pager' }, limit, next)
          assert.ok(page.connectors.length <= limit)
          seen.push(...page.connectors.map(({ id }) => id))
          next = page.next
          if (next === null) break
        }
        assert.deepEqual(seen, mine)
      }
    })

    it('filters a list by end user and kind', async () => {
      await create({ externalUserId: 'filtered', connectorType: 'gong' })
      await create({ externalUserId: 'filtered', connectorType: 'asana' })
      const { connectors } = await store.connectors.list(
        wide,
        { externalUserId: 'filtered', connectorType: 'gong' },
        10,
        null,
      )
      assert.deepEqual(
        connectors.map(({ externalUserId, connectorType }) => [externalUserId, connectorType]),
        [['filtered', 'gong']],
      )
      const others = await store.connectors.list(ann, { externalUserId: 'filtered' }, 10, null)
      assert.deepEqual(others, { connectors: [], next: null })
    })

    it('changes only what is asked', async () => {
      const before = await create()
      const sync = { enabled: false, intervalSeconds: 120, startDate: '2026-01-01T00:00:00Z' }
      assert.deepEqual(await store.connectors.update(wide, before.id, { sync: () => sync }, at(5)), {
        outcome: 'updated',
        connector: { ...before, sync, updatedAt: at(5) },
        before,
      })
      assert.deepEqual(await store.connectors.find(wide, before.id), { ...before, sync, updatedAt: at(5) })
      assert.equal((await store.connectors.findWithCredentials(wide, before.id))?.credentials.version, 1)
    })

    it('keeps every one of several changes of its sync at the same time', async () => {
      const { id } = await create()
      const startDate = '2026-01-01T00:00:00Z'
      const changes = [{ enabled: false }, { intervalSeconds: 120 }, { startDate }]
      await Promise.all(
        changes.map((change) =>
          store.connectors.update(wide, id, { sync: (before) => ({ ...before, ...change }) }, at(5)),
        ),
      )
      const changed = await store.connectors.find(wide, id)
      assert.deepEqual(changed?.sync, { enabled: false, intervalSeconds: 120, startDate })
    })

    it('is active again with new credentials', async () => {
      const { id } = await create()
      assert.equal(await store.connectors.setStatus(wide, id, 1, 'reauthorization_required', at(4)), true)
      assert.equal((await store.connectors.find(wide, id))?.status, 'reauthorization_required')
      const credentials = { authMethod: 'oauth', sealed: 'newer' }
      const updated = await store.connectors.update(wide, id, { credentials }, at(5))
      assert.equal(updated.outcome, 'updated')
      const found = await store.connectors.findWithCredentials(wide, id)
      assert.equal(found?.connector.status, 'active')
      assert.equal(found?.connector.authMethod, 'oauth')
      assert.deepEqual(found?.credentials, { sealed: 'newer', version: 2 })
    })

    it('never lets old credentials overwrite newer ones, nor an old failure mark them', async () => {
      const { id } = await create()
      assert.equal(await store.connectors.replaceCredentials(wide, id, 1, 'second'), true)
      assert.equal(await store.connectors.replaceCredentials(wide, id, 1, 'late'), false)
      assert.equal(await store.connectors.setStatus(wide, id, 1, 'reauthorization_required', at(4)), false)
      const found = await store.connectors.findWithCredentials(wide, id)
      assert.deepEqual(found?.credentials, { sealed: 'second', version: 2 })
      assert.equal(found?.connector.status, 'active')
    })

    it('shows what another process changed to whatever comes in afterwards', async () => {
      const { id } = await create()
      await store.connectors.findWithCredentials(wide, id)
      const other = await open()
      await other.connectors.replaceCredentials(wide, id, 1, 'from elsewhere')
      await nextTurn()
      const found = await store.connectors.findWithCredentials(wide, id)
      assert.deepEqual(found?.credentials, { sealed: 'from elsewhere', version: 2 })
      await other.connectors.delete(wide, id)
      await nextTurn()
      assert.equal(await store.connectors.findWithCredentials(wide, id), null)
      await other.close()
    })

    it('deletes a connector with its credentials and its idempotency key', async () => {
      const key: IdempotencyKey = { key: 'deleted', requestHash: 'h' }
      const wanted = connector({ name: 'short-lived' })
      await store.connectors.create(wide, wanted, 's', key)
      assert.notEqual(await store.connectors.findWithCredentials(wide, wanted.id), null)
      assert.equal(await store.connectors.delete(ann, wanted.id), true)
      assert.equal(await store.connectors.delete(ann, wanted.id), false)
      assert.equal(await store.connectors.find(wide, wanted.id), null)
      assert.equal(await store.connectors.findWithCredentials(wide, wanted.id), null)
      const again = await store.connectors.create(wide, connector({ name: 'short-lived' }), 's', key)
      assert.equal(again.outcome, 'created')
    })

    it('tells what a key was used for before', async () => {
      const key: IdempotencyKey = { key: 'asked before', requestHash: 'h' }
      assert.equal(await store.connectors.createdBefore(wide, key), null)
      const created = await store.connectors.create(wide, connector(), 's', key)
      assert.equal(created.outcome, 'created')
      const repeated = await store.connectors.createdBefore(wide, key)
      assert.deepEqual(repeated, { ...created, outcome: 'repeated' })
      assert.deepEqual(await store.connectors.createdBefore(wide, { ...key, requestHash: 'other' }), {
        outcome: 'key taken',
      })
      assert.equal(await store.connectors.createdBefore(ann, key), null)
    })

    it('keeps where browsers of an organization may be sent', async () => {
      assert.equal(await store.organizations.redirectUrls(wide), null)
      const urls = ['https://app.example/cb', 'http://localhost:5173/']
      assert.equal(await store.organizations.setRedirectUrls(wide, urls), true)
      assert.deepEqual(await store.organizations.redirectUrls(ann), urls)
      assert.equal(await store.organizations.setRedirectUrls(stranger, urls), false)
      assert.equal(await store.organizations.redirectUrls(stranger), null)
      assert.equal(await store.organizations.setRedirectUrls(wide, []), true)
      assert.deepEqual(await store.organizations.redirectUrls(wide), [])
      assert.equal(await store.organizations.setRedirectUrls(wide, null), true)
      assert.equal(await store.organizations.redirectUrls(wide), null)
    })

    it('keeps everything over a restart', async () => {
      const kept = await create()
      const again = await open()
      assert.deepEqual(await again.connectors.find(wide, kept.id), kept)
      await again.ready()
      await again.close()
      await store.ready()
    })

    it('is not ready once it is closed', async () => {
      const closed = await open()
      await closed.close()
      await assert.rejects(() => closed.ready())
    })
  })
}
