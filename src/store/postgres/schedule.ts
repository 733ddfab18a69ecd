/** What the schedule has to know, in PostgreSQL. */
import { furthest } from '../leases.ts'
import { type ScheduleRow, type ScheduleStore, scheduledConnectors } from '../schedule.ts'
import type { Database } from './database.ts'

export function scheduleStore(database: Database): ScheduleStore {
  return {
    async page(limit, after, now, until) {
      const sql = `select page.*, copies.entity, copies.status as entity_status, copies.finished_at, copies.error_code, copies.error_at
        from (
          select id, organization_id, external_user_id, connector_type, sync_interval_seconds, created_at
          from connectors
          where sync_enabled and status = 'active' and id > $1 and not exists (
            select 1 from copy_leases
            where copy_leases.connector_id = connectors.id and holder is not null and until > $2 and until <= $4)
          order by id limit $3
        ) as page left join copies on copies.connector_id = page.id order by page.id, copies.entity`
      return scheduledConnectors(await database.all<ScheduleRow>(sql, after, now, limit, furthest(until)))
    },
  }
}
