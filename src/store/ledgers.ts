/** The counts of calls to third-party systems: texts that all nodes change without undoing one another's changes. */
import { change, first, type Queries } from './sql/steps.ts'
import { db } from './sql/tables.ts'

export function ledgerStore(queries: Queries) {
  return {
    /** A ledger and its version, which every change raises; null for one that does not exist, which has version 0. */
    async read(key: string) {
      const query = db.selectFrom('ledgers').select(['ledger', 'version']).where('key', '=', key)
      return (await queries.run(first(query))) ?? null
    },

    /**
     * Writes in place of this version; false when there is another one by now. After `end` the ledger may be forgotten, and in
     * passing those that may be are. Times are ISO 8601 in UTC.
     */
    async write(key: string, ledger: string, version: number, now: string, end: string) {
      const values = { ledger, version: version + 1, expiresAt: end }
      if (version > 0) {
        const before = db.updateTable('ledgers').where('key', '=', key).where('version', '=', version)
        return (await queries.run(change(before.set(values)))) > 0
      }
      await queries.run(change(db.deleteFrom('ledgers').where('expiresAt', '<=', now)))
      const made = db.insertInto('ledgers').values({ key, ...values })
      return (await queries.run(change(made.onConflict((conflict) => conflict.column('key').doNothing())))) > 0
    },
  }
}
