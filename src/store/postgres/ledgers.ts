/** The counts of calls to third-party systems, in PostgreSQL. */
import type { LedgerStore, StoredLedger } from '../ledgers.ts'
import type { Database } from './database.ts'

export function ledgerStore(database: Database): LedgerStore {
  return {
    async read(key) {
      return (await database.first<StoredLedger>('select ledger, version from ledgers where key = $1', key)) ?? null
    },

    async write(key, ledger, version, now, end) {
      if (version > 0) {
        const sql =
          'update ledgers set ledger = $1, version = version + 1, expires_at = $2 where key = $3 and version = $4'
        return (await database.run(sql, ledger, end, key, version)) > 0
      }
      await database.run('delete from ledgers where expires_at <= $1', now)
      const sql =
        'insert into ledgers (key, ledger, version, expires_at) values ($1, $2, 1, $3) on conflict (key) do nothing'
      return (await database.run(sql, key, ledger, end)) > 0
    },
  }
}
