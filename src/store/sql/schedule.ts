/** What the schedule has to know of all connectors. */
import type { EntityTables } from '../entity-tables.ts'
import { furthest } from '../leases.ts'
import type { ScheduledConnector, ScheduledEntity, ScheduleStore } from '../schedule.ts'
import type { RecordTable } from './record-table.ts'
import { all, type Queries } from './steps.ts'
import { db } from './tables.ts'

export function scheduleStore(queries: Queries, tables: EntityTables<RecordTable>): ScheduleStore {
  // No list is empty.
  const ids = ['', ...tables.all().map(({ id }) => id)]
  return {
    async page(limit, after, now, until) {
      const free = db
        .selectFrom('connectors')
        .selectAll()
        .where('sync_enabled', '=', true)
        .where('status', '=', 'active')
        .where('id', '>', after)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('copy_leases')
                .select('token')
                .whereRef('connector_id', '=', 'connectors.id')
                .where('holder', 'is not', null)
                .where('until', '>', now)
                .where('until', '<=', furthest(until)),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
      const rows = await queries.run(
        all(
          db
            .selectFrom(free.as('page'))
            .leftJoin('copies', (join) =>
              join.onRef('copies.connector_id', '=', 'page.id').on('copies.records_table', 'in', ids),
            )
            .select([
              'id',
              'organization_id',
              'external_user_id',
              'connector_type',
              'sync_interval_seconds',
              'created_at',
            ])
            .select(['entity', 'copies.status as entity_status', 'finished_at', 'error_code', 'error_at'])
            .orderBy('page.id')
            .orderBy('entity'),
        ),
      )
      const found: (ScheduledConnector & { readonly entities: ScheduledEntity[] })[] = []
      for (const row of rows) {
        if (found.at(-1)?.id !== row.id)
          found.push({
            id: row.id,
            organizationId: row.organization_id,
            externalUserId: row.external_user_id,
            connectorType: row.connector_type,
            status: 'active',
            sync: { enabled: true, intervalSeconds: row.sync_interval_seconds },
            createdAt: row.created_at,
            entities: [],
          })
        // Nothing was ever synced.
        if (row.entity === null) continue
        const { entity, entity_status: status, finished_at: finishedAt, error_code: code, error_at: at } = row
        found
          .at(-1)!
          .entities.push({ entity, status: status!, finishedAt, lastError: code === null ? null : { code, at: at! } })
      }
      return found
    },
  }
}
