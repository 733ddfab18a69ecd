/** Reads the events of an organization, and waits for new ones. */
import Type, { type Static } from 'typebox'
import { decodeQuery, invalidRequest } from '../catalog/decode.ts'
import { integer, oneOf, optional } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { eventTypeNames } from '../event-types.ts'
import { cursorOf, eventRecord, placeOf } from '../events/event-record.ts'
import type { EventPage } from '../store/events.ts'
import type { Tenant } from '../store/tenant.ts'
import type { EventList } from '../wire.ts'
import { endUserFields, endUserOf } from './aliases.ts'
import { idPattern } from './new-id.ts'
import type { Service } from './service.ts'

export const eventQuery = Type.Object(
  {
    ...endUserFields,
    type: optional(oneOf(eventTypeNames, 'Only events of this type.')),
    connector_id: optional(
      Type.String({
        description: 'Only events of this connector.',
        pattern: idPattern,
        'x-form': 'the id of a connector',
      }),
    ),
    from: optional(
      oneOf(['oldest', 'now'], 'Where to begin without a cursor: with the oldest event, which is the default, or now.'),
    ),
    cursor: optional(
      Type.String({ description: 'The next_cursor of a page, or the cursor of an event.', maxLength: 64 }),
    ),
    limit: optional(integer('Events per page; 100 by default.', { minimum: 1, maximum: 1000 })),
    wait: optional(
      integer('Seconds to wait for an event if there is none yet; 0 by default.', { minimum: 0, maximum: 60 }),
    ),
  },
  { additionalProperties: false },
)

/** `gone` aborts when nobody waits for the answer any more. */
export async function listEvents(
  service: Pick<Service, 'store' | 'events'>,
  tenant: Tenant,
  query: unknown,
  gone: AbortSignal,
): Promise<EventList> {
  const asked = decodeQuery(eventQuery, query)
  const { from, cursor, wait = 0, limit = 100 } = asked
  if (from !== undefined && cursor !== undefined)
    throw invalidRequest([{ path: '/from', message: 'cannot be sent with a cursor, which says where to begin' }])
  const filter = filterOf(asked)
  const over = wait === 0 ? AbortSignal.abort() : AbortSignal.any([gone, AbortSignal.timeout(wait * 1000)])
  for (let place = from === 'now' ? await service.store.events.newest(tenant) : placeAfter(cursor); ; ) {
    const page = await service.store.events.after(tenant, filter, limit, place)
    if (page.outcome !== 'read') throw lost(page.outcome)
    const { events, position, more } = page
    if (events.length > 0 || over.aborted || service.events.readers.closed)
      return { events: events.map(eventRecord), next_cursor: cursorOf(position), more }
    await service.events.readers.wait(tenant.organizationId, position, over)
    place = position
  }
}

function filterOf(asked: Static<typeof eventQuery>) {
  return {
    types: asked.type && [asked.type],
    connectorId: asked.connector_id?.toLowerCase(),
    externalUserId: endUserOf(asked),
  }
}

function placeAfter(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const place = placeOf(cursor)
  if (place !== null) return place
  throw invalidCursor('The cursor is not one of events; start without one.', 'is not a cursor of events')
}

const lost = (outcome: Exclude<EventPage['outcome'], 'read'>): ConexError =>
  outcome === 'gone'
    ? invalidCursor(
        'Events after this cursor are not kept any more; start without a cursor, and read again what you must know.',
        'is older than the events that are kept',
      )
    : invalidCursor('There is no such event; start without a cursor.', 'is behind the newest event')

const invalidCursor = (detail: string, message: string): ConexError =>
  new ConexError('invalid_cursor', detail, { issues: [{ path: '/cursor', message }] })
