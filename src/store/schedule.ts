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
