/** From when on a copy holds what is dated. */
import type { Migration } from '../../sql/migrations.ts'

export const startDates: Migration = {
  number: 6,
  statements: ['alter table connectors add column sync_start_date text'],
}
