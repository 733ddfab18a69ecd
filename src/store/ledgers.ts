/** The port of the counts of calls to third-party systems: texts that all nodes change without undoing one another's changes. */

/** A ledger as it was read. Every change raises the version; a ledger that does not exist has version 0. */
export interface StoredLedger {
  readonly ledger: string
  readonly version: number
}

export interface LedgerStore {
  read(key: string): Promise<StoredLedger | null>
  /**
   * Writes in place of this version; false when there is another one by now. After `end` the ledger may be forgotten, and in
   * passing those that may be are. Times are ISO 8601 in UTC.
   */
  write(key: string, ledger: string, version: number, now: string, end: string): Promise<boolean>
}
