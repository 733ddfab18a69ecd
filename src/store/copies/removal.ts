/** Takes copies away: out of sight at once, out of the tables little by little. */
import { sql } from 'kysely'
import { all, change, own } from '../sql/steps.ts'
import { db } from '../sql/tables.ts'
import { connectorOf, type Tenant } from '../tenant.ts'
import type { CopyContext } from './record-tables.ts'

export function copyRemoval({ queries, tables, records }: CopyContext) {
  return {
    /** Takes the whole copy of a connector out of sight at once; false when there was none. Deleting a connector does the same. */
    async remove(tenant: Tenant, connectorId: string) {
      // Records are found under the number of their copy alone, and the number is forgotten here.
      const query = db.deleteFrom('copies').where('connectorId', 'in', connectorOf(tenant, connectorId).select('id'))
      return (await queries.run(change(query))) > 0
    },

    /** Deletes at most so many records of copies that are out of sight; gives how many it deleted, 0 when none are left. */
    purge: (atMost: number) =>
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
          const rows = yield* all(sql<{ id: string }>`
            select _id as id from ${sql.raw(table.name)} where _copy = ${number} limit ${atMost - deleted}`)
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
