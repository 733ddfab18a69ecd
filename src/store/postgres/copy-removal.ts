/** Takes copies away in PostgreSQL: out of sight at once, out of the tables little by little. */
import type { CopyStore } from '../copy.ts'
import { findCopies } from './copy-owner.ts'
import { removeRecords } from './copy-pages.ts'
import type { CopyTables } from './copy-table.ts'
import type { Database } from './database.ts'

export function copyRemoval(database: Database, tables: CopyTables): Pick<CopyStore, 'remove' | 'purge'> {
  const known = [...tables.all()]
  return {
    async remove(tenant, connectorId) {
      return database.transaction(async (session) => {
        const found = await findCopies(session, tenant, connectorId)
        if (found.length === 0) return false
        // Its records are found under its number alone, and the number is forgotten here.
        return (await session.run('delete from copies where connector_id = $1', connectorId)) > 0
      })
    },

    async purge(atMost) {
      return database.transaction(async (session) => {
        let deleted = 0
        // Another node may be at it too, with other copies. Those of kinds that this node does not know wait for one that
        // does: forgetting them would leave their records in the tables for ever.
        const remains = await session.all<{ number: number; kind: string; entity: string }>(
          `select number, kind, entity from copy_remains
          where (kind, entity) in (select * from unnest($1::text[], $2::text[]))
          order by number limit 100 for update skip locked`,
          known.map(({ kind }) => kind),
          known.map(({ entity }) => entity),
        )
        for (const { number, kind, entity } of remains) {
          const table = tables.get(kind, entity)
          const sql = `select _id from ${table.name} where _copy = $1 limit $2`
          const ids = (await session.all<{ _id: string }>(sql, number, atMost - deleted)).map(({ _id }) => _id)
          deleted += await removeRecords(session, table, number, ids)
          if (deleted >= atMost) break
          await session.run('delete from copy_marks where copy = $1', number)
          await session.run('delete from copy_remains where number = $1', number)
        }
        return deleted
      })
    },
  }
}
