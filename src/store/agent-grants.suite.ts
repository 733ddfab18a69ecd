/** What every store has to do about sign-in codes and what they allowed programs of agents. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NewAgentGrant } from './agent-grants.ts'
import type { Store } from './store.ts'
import { at, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time. */
export function agentGrantSuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}, as far as agents go`, () => {
    let store: Store
    const organizationId = nextId()
    const wide: Tenant = { organizationId, externalUserId: null, clientId: 'program' }

    before(async () => {
      store = await open()
      await store.organizations.create({ id: organizationId, name: 'home' }, at(0))
    })
    after(() => store.close())

    const newGrant = (): NewAgentGrant => ({
      grantHash: nextId(),
      clientId: 'desk',
      clientName: 'Desk',
      secretHash: 'first',
      redirectUri: 'http://127.0.0.1/back',
      codeChallenge: 'challenge',
      expiresAt: at(20),
    })

    async function allowed(externalUserId = 'ann') {
      const codeHash = nextId()
      await store.agentGrants.addCode(wide, { codeHash, externalUserId, expiresAt: at(10) }, at(1))
      const grant = newGrant()
      assert.equal(await store.agentGrants.allow(codeHash, grant, {}, at(2)), true)
      return (await store.agentGrants.find(grant.grantHash, at(3)))!
    }

    it('gives the grant to one of several who use a code, with its organization and end user', async () => {
      const codeHash = nextId()
      await store.agentGrants.addCode(wide, { codeHash, externalUserId: 'ann', expiresAt: at(10) }, at(1))
      const grants = [newGrant(), newGrant(), newGrant()]
      const given = await Promise.all(grants.map((grant) => store.agentGrants.allow(codeHash, grant, {}, at(2))))
      assert.deepEqual(given.toSorted(), [false, false, true])
      const [found] = grants.filter((_, index) => given[index])
      const stored = await store.agentGrants.find(found!.grantHash, at(3))
      const about = { organizationId, externalUserId: 'ann', createdBy: 'program', allowedAt: at(2) }
      assert.deepEqual(stored, { ...found, ...about })
    })

    it('gives nothing for a code at its end, nor for one that is unknown', async () => {
      const codeHash = nextId()
      await store.agentGrants.addCode(wide, { codeHash, externalUserId: 'ann', expiresAt: at(10) }, at(1))
      assert.equal(await store.agentGrants.allow(codeHash, newGrant(), {}, at(10)), false)
      assert.equal(await store.agentGrants.allow('unknown', newGrant(), {}, at(2)), false)
    })

    it('replaces a secret for one of several who use it, and ends a grant once', async () => {
      const grant = await allowed()
      const next = { secretHash: 'second', expiresAt: at(40) }
      const other = await open()
      const replaced = await Promise.all(
        [store, other, store].map(({ agentGrants }) => agentGrants.replaceSecret(grant, next)),
      )
      await other.close()
      assert.deepEqual(replaced.toSorted(), [false, false, true])
      const changed = await store.agentGrants.find(grant.grantHash, at(30))
      assert.deepEqual(changed, { ...grant, ...next, codeChallenge: null, redirectUri: null })
      assert.equal(await store.agentGrants.end(grant, 'reused', at(31)), true)
      assert.equal(await store.agentGrants.end(grant, 'reused', at(31)), false)
      assert.equal(await store.agentGrants.find(grant.grantHash, at(32)), null)
      const { entries } = await store.audit.list(wide, { event: 'agent.ended' }, 10, null)
      assert.deepEqual(
        entries.map(({ externalUserId, clientId, details }) => ({ externalUserId, clientId, details })),
        [{ externalUserId: 'ann', clientId: 'desk', details: { reason: 'reused' } }],
      )
    })

    it('lists the grants of one end user of one organization, and ends none of another', async () => {
      const stranger: Tenant = { organizationId: nextId(), externalUserId: null }
      await store.organizations.create({ id: stranger.organizationId, name: 'strangers' }, at(0))
      const [one, two] = [await allowed('eve'), await allowed('eve')]
      await allowed('finn')
      const hashes = async (tenant: Tenant, now = at(5)) =>
        (await store.agentGrants.list(tenant, 'eve', 10, now)).map(({ grantHash }) => grantHash)
      assert.deepEqual(await hashes(wide), [one.grantHash, two.grantHash].toSorted())
      assert.equal((await store.agentGrants.list(wide, 'eve', 1, at(5))).length, 1)
      assert.deepEqual(await hashes(wide, at(20)), [])
      assert.deepEqual(await hashes(stranger), [])
      const foreign = { ...one, organizationId: stranger.organizationId }
      assert.equal(await store.agentGrants.end(foreign, 'x', at(5)), false)
      assert.equal(await store.agentGrants.end({ ...one, externalUserId: 'finn' }, 'x', at(5)), false)
      assert.equal(await store.agentGrants.end(one, 'x', at(5)), true)
      assert.deepEqual(await hashes(wide), [two.grantHash])
    })

    it('hides a grant at its end, and removes it in passing', async () => {
      const grant = await allowed()
      assert.equal(await store.agentGrants.find(grant.grantHash, at(20)), null)
      await store.agentGrants.allow('unknown', newGrant(), {}, at(21))
      assert.equal(await store.agentGrants.find(grant.grantHash, at(3)), null)
    })

    it('removes what belongs to an end user who is deleted, and nothing else', async () => {
      const [grant, other] = [await allowed('carl'), await allowed('dora')]
      await store.connectors.deleteEndUser(wide, 'carl', { at: at(4) })
      assert.equal(await store.agentGrants.find(grant.grantHash, at(5)), null)
      assert.notEqual(await store.agentGrants.find(other.grantHash, at(5)), null)
    })
  })
}
