/** The counts of calls to third-party systems, which all nodes share. */
import type { Migration } from '../../sql/migrations.ts'

export const ledgers: Migration = {
  number: 5,
  statements: [
    // The key is a hash of the credentials that the system counts by, which several connectors may have in common.
    `create table ledgers (
      key text collate "C" primary key,
      ledger text not null,
      version integer not null,
      expires_at text collate "C" not null
    )`,
    'create index ledgers_by_end on ledgers (expires_at)',
  ],
}
