/** Which version of Conex gave each table of records its fields; of tables that are there already, the oldest. */
import type { Migration } from '../../sql/migrations.ts'

export const shapingVersions: Migration = {
  number: 8,
  statements: [
    "alter table copy_tables add column version text not null default '0.0.0'",
    // Fields have other places in the indexes of words than before: what is remembered differs, so that these are filled anew.
    "update copy_tables set fields = fields || ' '",
  ],
}
