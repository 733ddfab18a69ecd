/** Handlers for the events of an organization. */
import { eventQuery, listEvents as list } from '../service/list-events.ts'
import { eventListSchema } from '../wire.ts'
import { callerGone } from './caller-gone.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf } from './handler.ts'

export const listEvents: Endpoint = {
  summary: 'Read events, and wait for new ones',
  query: eventQuery,
  answers: { 200: { description: 'Events in their order, after the cursor.', schema: eventListSchema } },
  errors: ['invalid_cursor'],
  handle: ({ service }, request, reply) => list(service, callerOf(request), request.query, callerGone(reply)),
}
