/**
 * The tables of records, made from the catalog. A copy is a cache: an entity whose fields have changed gets a new table, which is
 * filled beside the one before; that one goes when nobody needs it any more.
 */
import { sql } from 'kysely'
import type { EntityTables } from '../entity-tables.ts'
import { all, change, first, type Steps } from '../sql/steps.ts'
import { db } from '../sql/tables.ts'
import { connectorOf, type Tenant } from '../tenant.ts'
import { removeRecords } from './marks.ts'
import type { RecordTable } from './record-table.ts'
import type { CopyContext, TableLayout } from './record-tables.ts'

/** A node says so often that it uses its tables. */
const saidEveryMs = 600_000
/** A table that no node has used for so long is of a version that has gone; the way back to it is open until then. */
const unusedMs = 86_400_000

/** Makes the tables that are missing. To be run where no other node does so. */
export function* makeTables(tables: EntityTables<RecordTable>, layout: TableLayout, now: string): Steps<void> {
  // Before it is read which there are: another node may be about to drop them.
  yield* use(tables, now, now)
  const held = yield* all(db.selectFrom('copyTables').selectAll())
  const names = new Set(held.map(({ name }) => name))
  for (const table of tables.all()) {
    const { id, kind, entity, searchable, indexed } = table
    const fields = JSON.stringify({ searchable, indexed })
    if (names.has(id)) continue
    yield* run(layout.create(table))
    yield* change(db.insertInto('copyTables').values({ name: id, kind, entity, fields, usedAt: now }))
    const older = held.filter((one) => one.kind === kind && one.entity === entity).map((one) => tables.held(one))
    yield* run(layout.makeView(table.view, viewOf([table, ...older], layout)))
  }
}

/** Takes copies away, out of sight at once and out of the tables little by little, and tables behind them. */
export function copyTables({ queries, tables, layout }: CopyContext) {
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
          deleted += yield* removeRecords(layout, table, number, ids)
          if (deleted >= atMost) break
          yield* change(db.deleteFrom('copyMarks').where('copy', '=', number))
          yield* change(db.deleteFrom('copyRemains').where('number', '=', number))
        }
        return deleted
      }),

    /**
     * Says that the tables of this version are in use, and gives up those of versions that are not in use any more: their copies
     * where there is a whole one in a newer table, and tables that hold nothing any more. To be called every few minutes.
     */
    async retire(now: string) {
      const before = (ms: number) => new Date(Date.parse(now) - ms).toISOString()
      await queries.run(use(tables, now, before(saidEveryMs)))
      const kinds = tables.kinds()
      // The copies of a kind that is not loaded at present stay as they are.
      if (kinds.length === 0) return
      const unused = db
        .selectFrom('copyTables')
        .selectAll()
        .where('usedAt', '<', before(unusedMs))
        .where('kind', 'in', kinds)
      if ((await queries.run(first(unused))) === undefined) return
      await queries.transaction(function* () {
        // A node that starts waits, and then sees which tables are left.
        yield* queries.alone('copyTables')
        for (const held of yield* all(unused)) yield* retireTable(tables.held(held))
      })
    },
  }

  function* retireTable(table: RecordTable): Steps<void> {
    const own = tables.find(table.kind, table.entity)
    if (own?.id === table.id) return
    yield* change(
      sql`delete from copies where records_table = ${table.id} and ${own === null ? sql`true` : isReplacedIn(own)}`,
    )
    const left = yield* first(sql`select 1 from copies where records_table = ${table.id}
      union all select 1 from copy_remains where records_table = ${table.id} limit 1`)
    if (left !== undefined) return
    yield* change(db.deleteFrom('copyTables').where('name', '=', table.id))
    const held = db.selectFrom('copyTables').selectAll().where('kind', '=', table.kind)
    const others = (yield* all(held.where('entity', '=', table.entity))).map((one) => tables.held(one))
    others.sort((one, other) => Number(other === own) - Number(one === own))
    yield* run(others.length === 0 ? [`drop view ${table.view}`] : layout.makeView(table.view, viewOf(others, layout)))
    yield* run(layout.drop(table))
  }
}

/** True of copies of connectors that have a whole one in the other table. */
const isReplacedIn = ({ id }: RecordTable) => sql`exists (
  select 1 from copies as newer
  where newer.connector_id = copies.connector_id and newer.records_table = ${id} and newer.synced_at is not null)`

/** Says that this node uses its tables, where that was said before the given time. */
function* use(tables: EntityTables<RecordTable>, now: string, saidBefore: string): Steps<void> {
  const ids = tables.all().map(({ id }) => id)
  if (ids.length === 0) return
  const own = db.updateTable('copyTables').set({ usedAt: now }).where('name', 'in', ids)
  yield* change(own.where('usedAt', '<', saidBefore))
}

function* run(statements: readonly string[]): Steps<void> {
  for (const statement of statements) yield* change(sql.raw(statement))
}

/** What people read with their own tools: the first table's fields by the catalog's names, from all tables, and nothing else. */
function viewOf(tables: readonly RecordTable[], { quoted, document }: TableLayout): string {
  const wanted = Object.entries(tables[0]!.searchable)
  const selects = tables.map(({ name, searchable }) => {
    const fields = wanted.map(([field, type]) => {
      if (searchable[field] !== type) return `null as ${quoted(field)}`
      const isInner = type === 'object' || type === 'array'
      return `${isInner ? document(field) : `records.${quoted(field)}`} as ${quoted(field)}`
    })
    return `select copies.connector_id as connector_id, records._id as record_id, ${fields.join(', ')}
      from ${name} as records join answering_copies as copies on copies.number = records._copy`
  })
  return selects.join(' union all ')
}
