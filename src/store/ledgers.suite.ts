/** What the counts of calls have to do in every store. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Store } from './store.ts'

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

/** `open` opens the same database each time. */
export function ledgerSuite(name: string, open: () => Promise<Store>): void {
  describe(`the ledgers in ${name}`, () => {
    let store: Store
    before(async () => {
      store = await open()
    })
    after(() => store.close())

    it('are kept under their key, with a version that each change raises', async () => {
      const { ledgers } = store
      assert.equal(await ledgers.read('one'), null)
      assert.equal(await ledgers.write('one', '{"a":1}', 0, at(0), at(9)), true)
      assert.deepEqual(await ledgers.read('one'), { ledger: '{"a":1}', version: 1 })
      assert.equal(await ledgers.write('one', '{"a":2}', 1, at(1), at(9)), true)
      assert.deepEqual(await ledgers.read('one'), { ledger: '{"a":2}', version: 2 })
      assert.equal(await ledgers.read('other'), null)
    })

    it('take no change to what is not there any more', async () => {
      const { ledgers } = store
      assert.equal(await ledgers.write('two', 'first', 0, at(0), at(9)), true)
      for (const version of [0, 2]) assert.equal(await ledgers.write('two', 'late', version, at(0), at(9)), false)
      assert.equal(await ledgers.write('nobody', 'late', 1, at(0), at(9)), false)
      assert.deepEqual(await ledgers.read('two'), { ledger: 'first', version: 1 })
    })

    it('lose no change when several nodes make them at once', async () => {
      const nodes = [store, await open(), await open()]
      const add = async ({ ledgers }: Store): Promise<void> => {
        for (;;) {
          const found = await ledgers.read('sum')
          const sum = String(Number(found?.ledger ?? 0) + 1)
          if (await ledgers.write('sum', sum, found?.version ?? 0, at(0), at(9))) return
        }
      }
      await Promise.all(nodes.flatMap((node) => Array.from({ length: 20 }, () => add(node))))
      assert.deepEqual(await store.ledgers.read('sum'), { ledger: '60', version: 60 })
      await Promise.all(nodes.slice(1).map((node) => node.close()))
    })

    it('are forgotten some time after their end, and no others', async () => {
      const { ledgers } = store
      await ledgers.write('short', 'x', 0, at(10), at(11))
      await ledgers.write('long', 'x', 0, at(10), at(20))
      await ledgers.write('next', 'x', 0, at(11), at(30))
      assert.equal(await ledgers.read('short'), null)
      assert.notEqual(await ledgers.read('long'), null)
    })
  })
}
