/** The counts of calls to third-party systems. */
import type { LedgerStore } from '../ledgers.ts'
import { change, first, type Queries } from './steps.ts'
import { db } from './tables.ts'

export function ledgerStore(queries: Queries): LedgerStore {
  return {
    async read(key) {
      const query = db.selectFrom('ledgers').select(['ledger', 'version']).where('key', '=', key)
      return (await queries.run(first(query))) ?? null
    },

    async write(key, ledger, version, now, end) {
      if (version > 0) {
        const before = db.updateTable('ledgers').where('key', '=', key).where('version', '=', version)
        return (await queries.run(change(before.set({ ledger, version: version + 1, expires_at: end })))) > 0
      }
      await queries.run(change(db.deleteFrom('ledgers').where('expires_at', '<=', now)))
      const made = db.insertInto('ledgers').values({ key, ledger, version: 1, expires_at: end })
      return (await queries.run(change(made.onConflict((conflict) => conflict.column('key').doNothing())))) > 0
    },
  }
}
