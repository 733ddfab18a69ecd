/** The caller's choice of the copy: whether, how often, and from which day on. */
import type { Static } from 'typebox'
import type { Connector } from '../catalog/connector.ts'
import { invalidRequest } from '../catalog/decode.ts'
import { boolean, closedObjectOf, integer, nullable, optional, utcTime } from '../catalog/fields.ts'
import type { SyncChoice } from '../store/connectors.ts'
import { hasDatedRecords, keepsCopy } from '../sync/entity-order.ts'

export const syncField = closedObjectOf(
  {
    enabled: optional(boolean('Whether to keep a copy; always false for connector types without searchable entities.')),
    interval_seconds: optional(integer('Seconds from one sync to the next.', { minimum: 60, maximum: 31_536_000 })),
    start_date: optional(
      nullable(
        utcTime(
          'How far back to copy dated records, such as calls and ad statistics; null for the default of the connector type.',
        ),
      ),
    ),
  },
  'The settings of the copy.',
)

/** The new choice; omitted fields keep their value. A 422 if the kind has no copy, or none by date. */
export function syncChoice(
  kind: Connector,
  before: SyncChoice,
  asked: Static<typeof syncField> | undefined,
): SyncChoice {
  const startDate = asked?.start_date === undefined ? before.startDate : asked.start_date
  if (asked?.start_date != null && !hasDatedRecords(kind))
    throw invalidRequest([
      { path: '/sync/start_date', message: `is not supported by ${kind.kind}, which copies no entity by date` },
    ])
  if (asked?.enabled === true && !keepsCopy(kind))
    throw invalidRequest([
      {
        path: '/sync/enabled',
        message: `cannot be true for ${kind.kind}, which has no copy; leave it out, or send false`,
      },
    ])
  return {
    enabled: asked?.enabled ?? before.enabled,
    intervalSeconds: asked?.interval_seconds ?? before.intervalSeconds,
    ...(startDate != null && { startDate }),
  }
}
