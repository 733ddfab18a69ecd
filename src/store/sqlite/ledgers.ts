/** The counts of calls to third-party systems, in SQLite. */
import type { StoredLedger } from '../ledgers.ts'
import type { CopyStatements } from './copy-statements.ts'

/** For the thread that writes, so that no caller waits for a disk. */
export function ledgerStatements(statements: CopyStatements) {
  return {
    readLedger(key: string): StoredLedger | null {
      return statements.first<StoredLedger>('select ledger, version from ledgers where key = ?', key) ?? null
    },

    writeLedger(key: string, ledger: string, version: number, now: string, end: string): boolean {
      if (version > 0) {
        const sql = 'update ledgers set ledger = ?, version = version + 1, expires_at = ? where key = ? and version = ?'
        return statements.run(sql, ledger, end, key, version) > 0
      }
      return statements.transaction(() => {
        statements.run('delete from ledgers where expires_at <= ?', now)
        const sql = 'insert into ledgers (key, ledger, version, expires_at) values (?, ?, 1, ?) on conflict do nothing'
        return statements.run(sql, key, ledger, end) > 0
      })
    },
  }
}
