/** Takes copies away in SQLite: out of sight at once, out of the file little by little. */
import type { Tenant } from '../tenant.ts'
import { findCopies } from './copy-owner.ts'
import type { CopyStatements } from './copy-statements.ts'
import type { CopyTables } from './copy-table.ts'

export function copyRemoval(statements: CopyStatements, tables: CopyTables) {
  return {
    remove(tenant: Tenant, connectorId: string): boolean {
      return statements.transaction(() => {
        const found = findCopies(statements, tenant, connectorId)
        // Its records are found under its number alone, and the number is forgotten here.
        for (const { number } of found) statements.run('delete from copies where number = ?', number)
        return found.length > 0
      })
    },

    purge(atMost: number): number {
      return statements.transaction(() => {
        let deleted = 0
        const remains = statements.all<{ number: number; kind: string; entity: string }>('select * from copy_remains')
        for (const { number, kind, entity } of remains) {
          const table = tables.find(kind, entity)
          // It waits for a version that knows the kind: forgetting it would leave its records in the file for ever.
          if (table === null) continue
          const records = statements.all<{ _record: number; _id: string }>(
            `select _record, _id from ${table.name} where _copy = ? limit ?`,
            number,
            atMost - deleted,
          )
          for (const { _record: record, _id: id } of records) {
            statements.run(`delete from ${table.words} where rowid = ?`, record)
            statements.run(`delete from ${table.name} where _record = ?`, record)
            statements.run('delete from copy_marks where copy = ? and id = ?', number, id)
          }
          deleted += records.length
          if (deleted >= atMost) break
          statements.run('delete from copy_marks where copy = ?', number)
          statements.run('delete from copy_remains where number = ?', number)
        }
        return deleted
      })
    },
  }
}
