/** Answers for syncs: start one, and tell how the copy is. */
import { getSync as get, startSync as start } from '../service/sync-connector.ts'
import { callerOf, connectorIdOf, type Handler } from './handler.ts'

export const startSync: Handler = async ({ service }, request, reply) => {
  const started = await start(service, callerOf(request), connectorIdOf(request), request.body)
  reply.code(202)
  return started
}

export const getSync: Handler = ({ service }, request) => get(service, callerOf(request), connectorIdOf(request))
