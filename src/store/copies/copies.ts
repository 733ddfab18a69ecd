/** The books of copies, once for every database: passes, pages, sweeps, leases, removal, the schedule and ledgers. */
import { leaseStore } from '../leases.ts'
import { ledgerStore } from '../ledgers.ts'
import { scheduleStore } from '../schedule.ts'
import { copyPasses } from './passes.ts'
import type { CopyContext } from './record-tables.ts'
import { copyRemoval } from './removal.ts'
import { copySweeps } from './sweeps.ts'
import { copyTables } from './tables.ts'

export type Bookkeeping = ReturnType<typeof bookkeeping>

export function bookkeeping(context: CopyContext) {
  const { queries, tables } = context
  return {
    copies: { ...copyPasses(context), ...copySweeps(context), ...copyRemoval(context), ...copyTables(context) },
    leases: leaseStore(queries),
    ledgers: ledgerStore(queries),
    schedule: scheduleStore(queries, tables),
  }
}
