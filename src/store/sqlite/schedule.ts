/** What the schedule has to know, in SQLite. */
import { furthest } from '../leases.ts'
import { type ScheduledConnector, type ScheduleRow, scheduledConnectors } from '../schedule.ts'
import type { CopyStatements } from './copy-statements.ts'

export function scheduleStatements(statements: CopyStatements) {
  return {
    schedule(limit: number, after: string, now: string, until: string): ScheduledConnector[] {
      const sql = `select page.*, copies.entity, copies.status as entity_status, copies.finished_at, copies.error_code, copies.error_at
        from (
          select id, organization_id, external_user_id, connector_type, sync_interval_seconds, created_at
          from connectors
          where sync_enabled = 1 and status = 'active' and id > ? and not exists (
            select 1 from copy_leases
            where copy_leases.connector_id = connectors.id and holder is not null and until > ? and until <= ?)
          order by id limit ?
        ) as page left join copies on copies.connector_id = page.id order by page.id, copies.entity`
      return scheduledConnectors(statements.all<ScheduleRow>(sql, after, now, furthest(until), limit))
    },
  }
}
