/** The bookkeeping of copies, once for every database: passes, pages, sweeps, leases, removal, the schedule and ledgers. */
import type { CopyStore } from '../copy.ts'
import { leaseStore } from '../leases.ts'
import { ledgerStore } from '../ledgers.ts'
import { scheduleStore } from '../schedule.ts'
import type { Store } from '../store.ts'
import { copyPages } from './copy-pages.ts'
import { copyPasses } from './copy-passes.ts'
import { copyRemoval } from './copy-removal.ts'
import { type CopySweeps, copySweeps } from './copy-sweeps.ts'
import { copyTables } from './copy-tables.ts'
import type { CopyContext } from './record-tables.ts'

export interface Bookkeeping extends Pick<Store, 'leases' | 'ledgers' | 'schedule'> {
  readonly copies: Omit<CopyStore, 'search' | 'sweep'> & CopySweeps
}

export function bookkeeping(context: CopyContext): Bookkeeping {
  const { queries, tables } = context
  return {
    copies: {
      ...copyPasses(context),
      ...copyPages(context),
      ...copySweeps(context),
      ...copyRemoval(context),
      ...copyTables(context),
    },
    leases: leaseStore(queries),
    ledgers: ledgerStore(queries),
    schedule: scheduleStore(queries, tables),
  }
}
