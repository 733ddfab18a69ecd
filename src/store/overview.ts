/** How much of everything there is, over all organizations, as counts that name no tenant. */
import { sql } from 'kysely'
import type { EntityTables } from './entity-tables.ts'
import { all, type Queries, type Steps } from './sql/steps.ts'
import { db } from './sql/tables.ts'

/** Counts of everything that is kept. */
export interface Overview {
  readonly connectors: readonly { readonly kind: string; readonly status: string; readonly count: number }[]
  /** The copies of active connectors. `oldest` is when the one that was completed longest ago was; null if none was. */
  readonly copies: readonly {
    readonly kind: string
    readonly entity: string
    readonly status: string
    readonly count: number
    readonly records: number
    readonly oldest: string | null
  }[]
  /** Deliveries to webhooks that wait or were given up. */
  readonly deliveries: readonly { readonly status: string; readonly count: number }[]
  /** How far active webhooks are behind the events of their organizations, in all. */
  readonly eventsWaiting: number
}

export function overviewStore(
  queries: Queries,
  tables: EntityTables<{ readonly id: string; readonly kind: string; readonly entity: string }>,
) {
  const own = new Map(tables.all().map((table) => [table.id, table]))
  const count = sql<number | string>`count(*)`.as('count')
  return {
    /** Reads each table once, whatever the number of connectors. */
    read: (): Promise<Overview> =>
      queries.run(
        (function* (): Steps<Overview> {
          const connectors = yield* all(
            db
              .selectFrom('connectors')
              .select(['connectorType as kind', 'status', count])
              .groupBy(['connectorType', 'status']),
          )
          // Kind and entity follow from the table of the records, so that groups are found by one short name.
          const copies = yield* all(
            db
              .selectFrom('copies')
              .innerJoin('connectors', 'connectors.id', 'copies.connectorId')
              .where('connectors.status', '=', 'active')
              .select(['recordsTable', 'copies.status', count])
              .select([
                sql<number | string>`sum(records)`.as('records'),
                sql<string | null>`min(synced_at)`.as('oldest'),
              ])
              .groupBy(['recordsTable', 'copies.status']),
          )
          const deliveries = yield* all(
            db
              .selectFrom('webhooks')
              .innerJoin('deliveries', (join) =>
                join
                  .onRef('deliveries.organizationId', '=', 'webhooks.organizationId')
                  .onRef('deliveries.webhookId', '=', 'webhooks.id')
                  .on('deliveries.status', 'in', ['waiting', 'parked']),
              )
              .select(['deliveries.status', count])
              .groupBy('deliveries.status'),
          )
          const [behind] = yield* all(
            db
              .selectFrom('webhooks')
              .innerJoin('eventHeads', 'eventHeads.organizationId', 'webhooks.organizationId')
              .where('disabledAt', 'is', null)
              .select(sql<number | string | null>`sum(last - position)`.as('events')),
          )
          return {
            connectors: connectors.map((row) => ({ ...row, count: Number(row.count) })),
            copies: copies.flatMap(({ recordsTable, status, count, records, oldest }) => {
              const table = own.get(recordsTable)
              // Tables of another version: their copies are filled anew, and counted there.
              if (table === undefined) return []
              const { kind, entity } = table
              return { kind, entity, status, count: Number(count), records: Number(records), oldest }
            }),
            deliveries: deliveries.map((row) => ({ ...row, count: Number(row.count) })),
            eventsWaiting: Number(behind?.events ?? 0),
          }
        })(),
      ),
  }
}
