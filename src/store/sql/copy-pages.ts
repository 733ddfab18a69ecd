/** Writes pages of records. */
import type { CopyStore } from '../copy.ts'
import { LeaseLost } from '../leases.ts'
import { writeCheckpoint } from './copy-passes.ts'
import { changeCopy, copyToWrite, findCopy } from './copy-rows.ts'
import type { CopyContext } from './record-tables.ts'
import { change, own } from './steps.ts'

export function copyPages({ queries, tables, records }: CopyContext): Pick<CopyStore, 'commit'> {
  return {
    async commit(tenant, copy, lease, page, next) {
      const table = tables.get(copy.kind, copy.entity)
      // Worked out before the transaction, so that locks are held for writing alone. What is found out here about the copy
      // is still true there: nobody else can write to it as long as the lease is the newest.
      const known = await queries.run(findCopy(tenant, copy, table))
      if (known === undefined) throw new LeaseLost(copy.connectorId)
      const prepared = await records.prepare(table, known.number, page.records)
      const { ids } = prepared
      const gone = [...new Set((page.gone ?? []).map((id) => id.toWellFormed()))]
      return queries.transaction(function* () {
        const { number, pass } = yield* copyToWrite(tenant, copy, table, lease)
        if (number !== known.number) throw new LeaseLost(copy.connectorId)
        const { changed, added } = yield* own((connection) => records.put(connection, table, number, prepared))
        yield* own((connection) => records.meet(connection, number, pass, ids))
        const removed = yield* own((connection) => records.remove(connection, table, number, gone))
        if (added !== removed)
          yield* change(changeCopy(number).set((set) => ({ records: set('records', '+', added - removed) })))
        if (next !== null) yield* writeCheckpoint(number, next)
        return { changed, unchanged: ids.length - changed.length, removed }
      })
    },
  }
}
