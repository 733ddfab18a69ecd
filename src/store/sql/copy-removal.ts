/** Takes copies away: out of sight at once, out of the tables little by little. */
import { sql } from 'kysely'
import type { CopyStore } from '../copy.ts'
import { findCopies } from './copy-rows.ts'
import type { CopyContext } from './record-tables.ts'
import { all, change, own } from './steps.ts'
import { db } from './tables.ts'

export function copyRemoval({ queries, tables, records }: CopyContext): Pick<CopyStore, 'remove' | 'purge'> {
  return {
    remove: (tenant, connectorId) =>
      queries.transaction(function* () {
        if ((yield* findCopies(tenant, connectorId)).length === 0) return false
        // Records are found under the number of their copy alone, and the number is forgotten here.
        return (yield* change(db.deleteFrom('copies').where('connectorId', '=', connectorId))) > 0
      }),

    purge: (atMost) =>
      queries.transaction(function* () {
        let deleted = 0
        // Another node may be at it too, with other copies.
        const remains = yield* all(
          db
            .selectFrom('copyRemains')
            .innerJoin('copyTables', 'copyTables.name', 'copyRemains.recordsTable')
            .selectAll()
            .orderBy('number')
            .limit(100)
            .forUpdate('copyRemains')
            .skipLocked(),
        )
        for (const { number, ...held } of remains) {
          const table = tables.held(held)
          const rows = yield* all(
            sql<{
              id: string
            }>`select _id as id from ${sql.raw(table.name)} where _copy = ${number} limit ${atMost - deleted}`,
          )
          const ids = rows.map(({ id }) => id)
          deleted += yield* own((connection) => records.remove(connection, table, number, ids))
          if (deleted >= atMost) break
          yield* change(db.deleteFrom('copyMarks').where('copy', '=', number))
          yield* change(db.deleteFrom('copyRemains').where('number', '=', number))
        }
        return deleted
      }),
  }
}
