/** What every store has to do about consents and the grants they gave. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { IdempotencyKey, StoredConnector } from './connectors.ts'
import type { Consent, Grant } from './consents.ts'
import type { Store } from './store.ts'
import { at, newConnector, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time. */
export function consentSuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}, as far as consents go`, () => {
    let store: Store
    const home = nextId()
    const wide: Tenant = { organizationId: home, externalUserId: null }
    const ann: Tenant = { organizationId: home, externalUserId: 'ann' }
    const bob: Tenant = { organizationId: home, externalUserId: 'bob' }
    const stranger: Tenant = { organizationId: nextId(), externalUserId: null }

    before(async () => {
      store = await open()
      await store.organizations.create({ id: home, name: 'home' }, at(0))
    })
    after(() => store.close())

    const connector = (changes: Partial<StoredConnector> = {}) => newConnector(home, changes)

    const consent = (changes: Partial<Consent> = {}): Consent => ({
      stateHash: nextId(),
      externalUserId: 'ann',
      connectorType: 'asana',
      redirectUrl: 'https://app.example/?x=1',
      sealed: 'sealed consent',
      expiresAt: at(10),
      ...changes,
    })

    it('gives a consent once, to one of several takers, with the organization it belongs to', async () => {
      const begun = consent()
      await store.consents.begin(wide, begun, at(1))
      const other = await open()
      const taken = await Promise.all(
        [store, other, store].map(({ consents }) => consents.take(begun.stateHash, at(9))),
      )
      await other.close()
      assert.deepEqual(
        taken.filter((one) => one !== null),
        [{ ...begun, organizationId: home }],
      )
      assert.equal(await store.consents.take(begun.stateHash, at(9)), null)
      assert.equal(await store.consents.take('unknown', at(9)), null)
    })

    it('gives no consent at or after its end, nor a second try', async () => {
      const begun = consent()
      await store.consents.begin(wide, begun, at(1))
      assert.equal(await store.consents.take(begun.stateHash, at(10)), null)
      assert.equal(await store.consents.take(begun.stateHash, at(9)), null)
    })

    it('removes what has ended in passing', async () => {
      const [old, young] = [consent({ expiresAt: at(10) }), consent({ expiresAt: at(30) })]
      await store.consents.begin(wide, old, at(1))
      await store.consents.begin(wide, young, at(20))
      assert.equal(await store.consents.take(old.stateHash, at(2)), null)
      assert.notEqual(await store.consents.take(young.stateHash, at(21)), null)

      const [dead, alive] = [grant({ expiresAt: at(10) }), grant({ expiresAt: at(50) })]
      await store.consents.keepGrant(wide, dead, at(1))
      await store.consents.keepGrant(wide, alive, at(20))
      assert.equal(await store.consents.findGrant(wide, dead, at(2)), null)
      assert.deepEqual(await store.consents.findGrant(wide, alive, at(21)), { sealed: 'sealed grant' })
    })

    const grant = (changes: Partial<Grant> = {}): Grant => ({
      secretHash: nextId(),
      externalUserId: 'ann',
      connectorType: 'asana',
      sealed: 'sealed grant',
      expiresAt: at(59),
      ...changes,
    })

    it('shows a grant to its organization alone, for its end user and kind, until its end', async () => {
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      for (const tenant of [wide, ann])
        assert.deepEqual(await store.consents.findGrant(tenant, kept, at(58)), { sealed: 'sealed grant' })
      for (const [tenant, asked] of [
        [bob, kept],
        [bob, { ...kept, externalUserId: 'bob' }],
        [wide, { ...kept, externalUserId: 'bob' }],
        [wide, { ...kept, connectorType: 'slack' }],
        [wide, { ...kept, secretHash: 'unknown' }],
        [stranger, kept],
      ] as const)
        assert.equal(await store.consents.findGrant(tenant, asked, at(2)), null)
      assert.equal(await store.consents.findGrant(wide, kept, at(59)), null)
    })

    it('makes one connector of a grant, and keeps of it that it was used', async () => {
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => store.connectors.create(wide, connector(), 's', undefined, kept)),
      )
      assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ['created', ...Array(4).fill('grant used')])
      assert.deepEqual(await store.consents.findGrant(wide, kept, at(2)), { sealed: null })
    })

    it('makes nothing of a grant that is another tenant’s', async () => {
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      const wanted = connector({ externalUserId: 'bob' })
      assert.deepEqual(await store.connectors.create(bob, wanted, 's', undefined, kept), { outcome: 'grant used' })
      assert.equal(await store.connectors.find(wide, wanted.id), null)
      assert.deepEqual(await store.consents.findGrant(wide, kept, at(2)), { sealed: 'sealed grant' })
    })

    it('leaves a grant as it is when the creation fails, and an idempotency key free when the grant is used', async () => {
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      const named = () => connector({ name: 'in the way of a grant' })
      await store.connectors.create(wide, named(), 's')
      const taken = await store.connectors.create(wide, named(), 's', undefined, kept)
      assert.equal(taken.outcome, 'name taken')
      assert.equal((await store.connectors.create(wide, connector(), 's', undefined, kept)).outcome, 'created')
      const key: IdempotencyKey = { key: 'with a used grant', requestHash: 'h' }
      assert.equal((await store.connectors.create(wide, connector(), 's', key, kept)).outcome, 'grant used')
      assert.equal(await store.connectors.createdBefore(wide, key), null)
    })

    it('gives a connector the credentials of a grant, once', async () => {
      const wanted = connector()
      const { id } = wanted
      await store.connectors.create(wide, wanted, 's')
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      const credentials = { authMethod: 'oauth', sealed: 'from the grant', grant: kept }
      assert.equal((await store.connectors.update(wide, id, { credentials }, at(2))).outcome, 'updated')
      const again = await store.connectors.update(wide, id, { name: 'not this', credentials }, at(3))
      assert.deepEqual(again, { outcome: 'grant used' })
      const found = await store.connectors.findWithCredentials(wide, id)
      assert.deepEqual(found?.credentials, { sealed: 'from the grant', version: 2 })
      assert.notEqual(found?.connector.name, 'not this')
    })

    it('keeps nothing of a creation that breaks in the middle', async () => {
      const kept = grant()
      await store.consents.keepGrant(wide, kept, at(1))
      const there = connector()
      await store.connectors.create(wide, there, 's')
      const key: IdempotencyKey = { key: 'broken', requestHash: 'h' }
      // The id is taken, which is found out only after the grant was spent.
      await assert.rejects(store.connectors.create(wide, connector({ id: there.id }), 's', key, kept))
      assert.deepEqual(await store.consents.findGrant(wide, kept, at(2)), { sealed: 'sealed grant' })
      assert.equal(await store.connectors.createdBefore(wide, key), null)
      assert.equal((await store.audit.list(wide, { connectorId: there.id }, 10, null)).entries.length, 1)
      assert.equal((await store.connectors.create(wide, connector(), 's', key, kept)).outcome, 'created')
    })
  })
}
