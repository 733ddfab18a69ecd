/** What every store has to do about the audit log, the right to renew, clients, and seals. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { StoredConnector } from './connectors.ts'
import type { Store } from './store.ts'
import { at, newConnector, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time. */
export function securitySuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}, as far as rights and traces go`, () => {
    let store: Store
    const home = nextId()
    const wide: Tenant = { organizationId: home, externalUserId: null, clientId: 'program' }
    const stranger: Tenant = { organizationId: nextId(), externalUserId: null }

    before(async () => {
      store = await open()
      await store.organizations.create({ id: home, name: 'home' }, at(0))
      await store.organizations.create({ id: stranger.organizationId, name: 'elsewhere' }, at(0))
    })
    after(() => store.close())

    const create = async (sealed = 'v1.k.x', changes: Partial<StoredConnector> = {}): Promise<string> => {
      const connector = newConnector(home, { authMethod: 'oauth', ...changes })
      assert.equal((await store.connectors.create(wide, connector, sealed)).outcome, 'created')
      return connector.id
    }
    const events = async (connectorId: string) =>
      (await store.audit.list(wide, { connectorId }, 100, null)).entries.map(({ event }) => event).toReversed()

    it('gives the right to renew to one of many', async () => {
      const id = await create()
      const other = await open()
      const taken = await Promise.all(
        ['a', 'b', 'c', 'd'].map((renewer, index) =>
          (index % 2 ? store : other).connectors.takeRenewal(wide, id, 1, renewer, at(1), at(2)),
        ),
      )
      await other.close()
      assert.equal(taken.filter(Boolean).length, 1)
    })

    it('lets its holder hold on, and another take over when the time is up or it was given back', async () => {
      const { takeRenewal, endRenewal } = store.connectors
      const id = await create()
      assert.equal(await takeRenewal(wide, id, 1, 'a', at(1), at(3)), true)
      assert.equal(await takeRenewal(wide, id, 1, 'b', at(2), at(5)), false)
      assert.equal(await takeRenewal(wide, id, 1, 'a', at(2), at(4)), true)
      assert.equal(await takeRenewal(wide, id, 1, 'b', at(3), at(5)), false)
      assert.equal(await takeRenewal(wide, id, 1, 'b', at(4), at(6)), true)
      await endRenewal(wide, id, 'a')
      assert.equal(await takeRenewal(wide, id, 1, 'c', at(5), at(7)), false)
      await endRenewal(wide, id, 'b')
      assert.equal(await takeRenewal(wide, id, 1, 'c', at(5), at(7)), true)
    })

    it('believes no right further ahead than one can reach: a clock that was ahead took it', async () => {
      const { takeRenewal } = store.connectors
      const id = await create()
      assert.equal(await takeRenewal(wide, id, 1, 'ahead', at(3_000), at(3_001)), true)
      assert.equal(await takeRenewal(wide, id, 1, 'right', at(1), at(2)), true)
      assert.equal(await takeRenewal(wide, id, 1, 'ahead', at(1), at(2)), false)
    })

    it('gives no right to credentials that were replaced, nor to a stranger', async () => {
      const { takeRenewal } = store.connectors
      const id = await create()
      assert.equal(await takeRenewal(wide, id, 1, 'a', at(1), at(3)), true)
      assert.equal(await store.connectors.replaceCredentials(wide, id, 1, 'v1.k.y', at(2)), true)
      assert.equal(await takeRenewal(wide, id, 1, 'b', at(4), at(5)), false)
      assert.equal(await takeRenewal(stranger, id, 2, 'b', at(4), at(5)), false)
      assert.equal(await takeRenewal(wide, id, 2, 'b', at(2), at(5)), true)
    })

    it('makes a connector active again when its credentials could be renewed after all', async () => {
      const id = await create()
      await store.connectors.setStatus(wide, id, 1, 'reauthorization_required', at(2))
      await store.connectors.replaceCredentials(wide, id, 1, 'v1.k.y', at(3))
      assert.equal((await store.connectors.find(wide, id))?.status, 'active')
    })

    it('writes an entry with every change, and none with what changed nothing', async () => {
      const id = await create()
      await store.connectors.replaceCredentials(wide, id, 1, 'v1.k.y', at(2))
      await store.connectors.replaceCredentials(wide, id, 1, 'v1.k.late', at(2))
      await store.connectors.setStatus(wide, id, 2, 'reauthorization_required', at(3))
      await store.connectors.setStatus(wide, id, 2, 'reauthorization_required', at(3))
      await store.connectors.update(wide, id, { credentials: { authMethod: 'token', sealed: 'v1.k.z' } }, at(4))
      await store.connectors.update(stranger, id, { name: 'stolen' }, at(4))
      await store.connectors.delete(stranger, id, { at: at(5) })
      await store.connectors.delete(wide, id, { at: at(5), details: { grant: 'revoked' } })
      assert.deepEqual(await events(id), [
        'connector.created',
        'credentials.refreshed',
        'credentials.refused',
        'credentials.changed',
        'connector.deleted',
      ])
      const [last] = (await store.audit.list(wide, { connectorId: id }, 1, null)).entries
      assert.deepEqual(
        [last?.at, last?.clientId, last?.externalUserId, last?.details],
        [at(5), 'program', 'ann', { grant: 'revoked' }],
      )
    })

    it('shows entries to their organization alone, and an end user only their own', async () => {
      const id = await create('v1.k.x', { externalUserId: 'bob' })
      assert.deepEqual((await store.audit.list(stranger, { connectorId: id }, 10, null)).entries, [])
      const ofAnn = { ...wide, externalUserId: 'ann' }
      assert.deepEqual(
        (await store.audit.list(ofAnn, { externalUserId: 'bob', connectorId: id }, 10, null)).entries,
        [],
      )
      assert.equal((await store.audit.list(wide, { externalUserId: 'bob' }, 10, null)).entries.length, 1)
    })

    it('deletes all that an end user has, and nothing of another or of a stranger', async () => {
      const mine = [
        await create('v1.k.x', { externalUserId: 'leaver' }),
        await create('v1.k.x', { externalUserId: 'leaver' }),
      ]
      const other = await create()
      const expiresAt = at(59)
      const grant = { secretHash: nextId(), externalUserId: 'leaver', connectorType: 'asana' }
      await store.consents.keepGrant(wide, { ...grant, sealed: 'v1.k.x', expiresAt }, at(1))
      assert.equal(await store.connectors.deleteEndUser(stranger, 'leaver', { at: at(2) }), 0)
      assert.equal(await store.connectors.deleteEndUser({ ...wide, externalUserId: 'ann' }, 'leaver', { at: at(2) }), 0)
      assert.notEqual(await store.consents.findGrant(wide, grant, at(2)), null)
      assert.equal(await store.connectors.deleteEndUser(wide, 'leaver', { at: at(2) }), 2)
      for (const id of mine) assert.equal(await store.connectors.findWithCredentials(wide, id), null)
      assert.equal(await store.consents.findGrant(wide, grant, at(2)), null)
      assert.notEqual(await store.connectors.find(wide, other), null)
    })

    it('keeps, rotates and revokes clients', async () => {
      const { organizations } = store
      const client = { id: nextId(), organizationId: home, name: 'worker', secretHash: 'one' }
      assert.equal(await organizations.createClient(client, at(1)), true)
      assert.equal(
        await organizations.createClient({ ...client, organizationId: stranger.organizationId }, at(1)),
        false,
      )
      assert.equal(
        await organizations.createClient({ ...client, id: nextId(), organizationId: nextId() }, at(1)),
        false,
      )
      assert.equal(await organizations.rotateClient(client.id, 'two', at(2)), true)
      assert.equal((await organizations.findClient(client.id))?.secretHash, 'two')
      assert.equal(await organizations.revokeClient(client.id, at(3)), true)
      assert.equal(await organizations.revokeClient(client.id, at(4)), true)
      assert.equal((await organizations.findClient(client.id))?.revokedAt, at(3))
      assert.equal(await organizations.rotateClient(client.id, 'three', at(5)), false)
      assert.equal(await organizations.revokeClient('nobody', at(5)), false)
      assert.deepEqual(
        (await organizations.clients(home)).map(({ name, rotatedAt, revokedAt }) => [name, rotatedAt, revokedAt]),
        [['worker', at(2), at(3)]],
      )
      const record = (await organizations.list()).find(({ id }) => id === home)
      assert.equal(record?.clients, 0)
      assert.ok(record!.connectors > 0)
    })

    it('finds what is sealed with other keys, batch by batch, and replaces what has not changed since', async () => {
      const { seals } = store
      // Neither an underscore nor another letter case makes two keys alike.
      for (const key of ['k_1', 'kx1', 'K_1']) for (let count = 0; count < 3; count++) await create(`v1.${key}.x`)
      const others = async (limit: number) => {
        const found = []
        for (
          let rows = await seals.others('k_1', limit, null);
          rows.length > 0;
          rows = await seals.others('k_1', limit, rows.at(-1)!)
        )
          found.push(...rows)
        return found
      }
      const all = await others(1000)
      assert.ok(all.every(({ sealed }) => !sealed.startsWith('v1.k_1.')))
      assert.deepEqual(await others(2), all)
      assert.equal(await seals.countOthers('k_1'), all.length)
      const [row] = all.filter(({ place, sealed }) => place === 'connector' && sealed === 'v1.kx1.x')
      await store.connectors.replaceCredentials(wide, row!.id, 1, 'v1.kx1.renewed')
      assert.equal(await seals.reseal(row!, 'v1.k_1.old'), false)
      assert.equal(await seals.reseal({ ...row!, sealed: 'v1.kx1.renewed' }, 'v1.k_1.new'), true)
      // A renewal that began before is still the newer one.
      assert.equal(await store.connectors.replaceCredentials(wide, row!.id, 2, 'v1.k_1.newer'), true)
      assert.equal(await seals.countOthers('k_1'), all.length - 1)
    })
  })
}
