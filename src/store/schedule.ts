/** The schedule: the facts about all connectors from which every node knows the due syncs. */
import type { StoredConnector } from './connectors.ts'
import { lastErrorOf } from './copies/rows.ts'
import type { EntityState } from './copy.ts'
import type { EntityTables } from './entity-tables.ts'
import { isFree } from './leases.ts'
import { all, type Queries } from './sql/steps.ts'
import { db } from './sql/tables.ts'

/** The facts of an entity's copy that determine its next sync. */
export type ScheduledEntity = Pick<EntityState, 'entity' | 'status' | 'finishedAt' | 'lastError'>

export interface ScheduledConnector
  extends Pick<
    StoredConnector,
    'id' | 'organizationId' | 'externalUserId' | 'connectorType' | 'status' | 'sync' | 'createdAt'
  > {
  readonly entities: readonly ScheduledEntity[]
}

export function scheduleStore(queries: Queries, tables: EntityTables<{ readonly id: string }>) {
  // No list is empty.
  const ids = ['', ...tables.all().map(({ id }) => id)]
  return {
    /**
     * Active connectors of all organizations whose copy is kept and that nobody syncs past `now`, by id after the given one, at
     * most `limit`; `until` is when a lease that was taken now would end.
     */
    async page(limit: number, after: string, now: string, until: string): Promise<readonly ScheduledConnector[]> {
      const page = db
        .selectFrom('connectors')
        .leftJoin('copyLeases', 'copyLeases.connectorId', 'connectors.id')
        .select(['id', 'organizationId', 'externalUserId', 'connectorType', 'syncIntervalSeconds', 'createdAt'])
        .where('syncEnabled', '=', true)
        .where('status', '=', 'active')
        .where('id', '>', after)
        .where(isFree('holder', 'until', now, until))
        .orderBy('id')
        .limit(limit)
        .as('page')
      const rows = await queries.run(
        all(
          db
            .selectFrom(page)
            .leftJoin('copies', (join) =>
              join.onRef('copies.connectorId', '=', 'page.id').on('copies.recordsTable', 'in', ids),
            )
            .selectAll('page')
            .select(['entity', 'copies.status', 'finishedAt', 'lastError'])
            .orderBy('page.id')
            .orderBy('entity'),
        ),
      )
      return [...Map.groupBy(rows, ({ id }) => id).values()].map((copies) => {
        const { id, organizationId, externalUserId, connectorType, syncIntervalSeconds, createdAt } = copies[0]!
        const entities = copies.flatMap(({ entity, status, finishedAt, ...error }) =>
          // Nothing was ever synced.
          entity === null ? [] : { entity, status: status!, finishedAt, lastError: lastErrorOf(error) },
        )
        const sync = { enabled: true, intervalSeconds: syncIntervalSeconds }
        return { id, organizationId, externalUserId, connectorType, status: 'active', sync, createdAt, entities }
      })
    },
  }
}
