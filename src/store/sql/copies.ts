/** The bookkeeping of copies, once for every database: passes, pages, sweeps, leases, removal, the schedule and ledgers. */
import type { CopyStore } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import type { Store } from '../store.ts'
import { copyPages } from './copy-pages.ts'
import { copyPasses } from './copy-passes.ts'
import { copyRemoval } from './copy-removal.ts'
import { type CopySweeps, copySweeps } from './copy-sweeps.ts'
import { copyTables, type TableLayout } from './copy-tables.ts'
import { leaseStore } from './leases.ts'
import { ledgerStore } from './ledgers.ts'
import type { PreparedRecords, RecordTable, RecordTables } from './record-tables.ts'
import { scheduleStore } from './schedule.ts'
import type { Queries } from './steps.ts'

export interface Bookkeeping extends Pick<Store, 'leases' | 'ledgers' | 'schedule'> {
  readonly copies: Omit<CopyStore, 'search' | 'sweep'> & CopySweeps
}

export function bookkeeping<Table extends RecordTable, Prepared extends PreparedRecords, Connection>(
  queries: Queries,
  tables: EntityTables<Table>,
  records: RecordTables<Table, Prepared, Connection>,
  layout: TableLayout<Table>,
): Bookkeeping {
  return {
    copies: {
      ...copyPasses(queries, tables),
      ...copyPages(queries, tables, records),
      ...copySweeps(queries, tables, records),
      ...copyRemoval(queries, tables, records),
      ...copyTables(queries, tables, layout),
    },
    leases: leaseStore(queries),
    ledgers: ledgerStore(queries),
    schedule: scheduleStore(queries, tables),
  }
}
