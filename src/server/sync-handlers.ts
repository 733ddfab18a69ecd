/** Handlers for syncs: start one, and report the state of the copy. */
import { getSync as get, startSync as start, syncRequest } from '../service/sync-connector.ts'
import { startedSyncSchema, syncSchema } from '../wire.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, connectorIdOf } from './handler.ts'

export const startSync: Endpoint = {
  summary: 'Start a sync of the copy',
  body: syncRequest,
  largestBody: 16 * 1024,
  bodyMayBeLeftOut: true,
  answers: { 202: { description: 'The new sync, or the one that is already running.', schema: startedSyncSchema } },
  errors: ['search_unavailable', 'connector_unavailable'],
  async handle({ service }, request, reply) {
    const started = await start(service, callerOf(request), connectorIdOf(request), request.body)
    reply.code(202)
    return started
  },
}

export const getSync: Endpoint = {
  summary: 'Report the state of the copy',
  answers: { 200: { description: 'The copy, entity by entity.', schema: syncSchema } },
  errors: ['connector_unavailable'],
  handle: ({ service }, request) => get(service, callerOf(request), connectorIdOf(request)),
}
