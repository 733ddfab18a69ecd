/** What every store has to do about sessions of the page on which end users connect systems. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NewConnectSession } from './connect-sessions.ts'
import type { Store } from './store.ts'
import { at, nextId } from './store-fixture.suite.ts'
import type { Tenant } from './tenant.ts'

/** Judges a store. `open` opens the same database each time. */
export function connectSessionSuite(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}, as far as sessions of the connect page go`, () => {
    let store: Store
    const organizationId = nextId()
    const wide: Tenant = { organizationId, externalUserId: null, clientId: 'program' }

    before(async () => {
      store = await open()
      await store.organizations.create({ id: organizationId, name: 'home' }, at(0))
    })
    after(() => store.close())

    async function added(changes: Partial<NewConnectSession> = {}) {
      const session = {
        tokenHash: nextId(),
        externalUserId: 'ann',
        origin: 'https://app.example',
        settings: '{}',
        expiresAt: at(10),
        ...changes,
      }
      await store.connectSessions.add(wide, session, at(1))
      return (await store.connectSessions.findByToken(session.tokenHash))!
    }

    it('keeps a session with its organization, end user and client', async () => {
      const { tokenHash, ...session } = await added()
      assert.deepEqual(session, {
        organizationId,
        externalUserId: 'ann',
        createdBy: 'program',
        origin: 'https://app.example',
        settings: '{}',
        expiresAt: at(10),
        keyHash: null,
        ticketHash: null,
        outcome: null,
      })
      assert.equal(await store.connectSessions.findByToken(`${tokenHash}0`), null)
    })

    it('opens for one of several visitors, and tells the audit log who it was for', async () => {
      const session = await added({ externalUserId: 'bea' })
      const other = await open()
      const keys = [nextId(), nextId(), nextId()]
      const opened = await Promise.all(
        keys.map((keyHash, index) =>
          [store, other][index % 2]!.connectSessions.open(
            session,
            { keyHash, settings: '{"narrow":1}', expiresAt: at(30) },
            at(2),
          ),
        ),
      )
      await other.close()
      assert.deepEqual(opened.toSorted(), [false, false, true])
      const keyHash = keys[opened.indexOf(true)]!
      const found = await store.connectSessions.findByKey(keyHash)
      assert.deepEqual(found, { ...session, keyHash, settings: '{"narrow":1}', expiresAt: at(30) })
      const { entries } = await store.audit.list(wide, { externalUserId: 'bea' }, 10, null)
      assert.deepEqual(
        entries.map(({ event, clientId }) => [event, clientId]),
        [
          ['connect_session.opened', 'program'],
          ['connect_session.created', 'program'],
        ],
      )
    })

    it('gives a session to one of several who come back from its consent', async () => {
      const session = await added()
      const ticketHash = nextId()
      await store.connectSessions.change(session, { ticketHash, outcome: null })
      const taken = await Promise.all([1, 2, 3].map(() => store.connectSessions.takeTicket(ticketHash)))
      assert.deepEqual(
        taken.filter((one) => one !== null),
        [{ ...session, ticketHash }],
      )
      assert.equal((await store.connectSessions.findByToken(session.tokenHash))?.ticketHash, null)
    })

    it('keeps an ended session for a day, and forgets those of a deleted end user', async () => {
      const ended = await added()
      const other = await added({ externalUserId: 'eve' })
      const later = new Date(Date.parse(at(10)) + 24 * 60 * 60_000).toISOString()
      await store.connectors.deleteEndUser(wide, 'eve')
      assert.equal(await store.connectSessions.findByToken(other.tokenHash), null)
      const next = { ...ended, tokenHash: nextId(), expiresAt: later }
      const { organizationId: _, createdBy: __, keyHash: ___, ticketHash: ____, outcome: _____, ...fresh } = next
      await store.connectSessions.add(wide, fresh, new Date(Date.parse(later) - 1).toISOString())
      assert.ok(await store.connectSessions.findByToken(ended.tokenHash))
      await store.connectSessions.add(wide, { ...fresh, tokenHash: nextId() }, later)
      assert.equal(await store.connectSessions.findByToken(ended.tokenHash), null)
    })
  })
}
