/** The port of the schedule: what every node has to know of all connectors to tell which syncs are due. */

import type { StoredConnector } from './connectors.ts'
import type { EntityState } from './copy.ts'

/** An entity of a copy, as far as its next sync depends on it. */
export interface ScheduledEntity extends Pick<EntityState, 'entity' | 'status' | 'finishedAt'> {
  readonly lastError: { readonly code: string; readonly at: string } | null
}

export interface ScheduledConnector
  extends Pick<
    StoredConnector,
    'id' | 'organizationId' | 'externalUserId' | 'connectorType' | 'status' | 'sync' | 'createdAt'
  > {
  readonly entities: readonly ScheduledEntity[]
}

export interface ScheduleStore {
  /**
   * Active connectors of all organizations whose copy is kept and that nobody syncs past `now`, by id after the given one, at
   * most `limit`; `until` is when a lease that was taken now would end.
   */
  page(limit: number, after: string, now: string, until: string): Promise<readonly ScheduledConnector[]>
}

/** A connector and one of its entities, as one statement finds them together. */
export interface ScheduleRow {
  readonly id: string
  readonly organization_id: string
  readonly external_user_id: string
  readonly connector_type: string
  readonly sync_interval_seconds: number
  readonly created_at: string
  /** Null where nothing was ever synced. */
  readonly entity: string | null
  readonly entity_status: EntityState['status']
  readonly finished_at: string | null
  readonly error_code: string | null
  readonly error_at: string | null
}

/** The connectors of such rows, which stand together for each. */
export function scheduledConnectors(rows: readonly ScheduleRow[]): ScheduledConnector[] {
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
    if (row.entity === null) continue
    const { entity, entity_status: status, finished_at: finishedAt, error_code: code, error_at: at } = row
    found.at(-1)!.entities.push({ entity, status, finishedAt, lastError: code === null ? null : { code, at: at! } })
  }
  return found
}
