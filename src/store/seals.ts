/** The port of everything sealed, whosever it is, for sealing it anew under another key. */

/** What was sealed for which row, without saying whose it is. */
export interface SealedRow {
  readonly place: 'connector' | 'consent' | 'grant'
  /** The id of the connector, or the hash that finds the consent or the grant. */
  readonly id: string
  readonly organizationId: string
  readonly sealed: string
}

export interface SealStore {
  /** How many rows are not sealed with the key of this id. */
  countOthers(keyId: string): Promise<number>
  /** Rows that are not sealed with this key, in a fixed order, at most `limit`, after the given row. */
  others(keyId: string, limit: number, after: Pick<SealedRow, 'place' | 'id'> | null): Promise<readonly SealedRow[]>
  /**
   * Puts the new text in the place of the one that was read; false when another has come there meanwhile. Versions stay: a
   * renewal that runs at the same time may still write over it, and nothing of the renewal is lost.
   */
  reseal(row: SealedRow, sealed: string): Promise<boolean>
}
