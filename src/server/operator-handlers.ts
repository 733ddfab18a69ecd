/** Handlers for operators: alive, ready, metrics. */
import Type from 'typebox'
import { oneOf } from '../catalog/fields.ts'
import type { Endpoint } from './endpoint.ts'
import { errorFields } from './logger.ts'

export const alive: Endpoint = {
  summary: 'Report that the process is alive',
  takesAnyQuery: true,
  answers: { 200: { description: 'The process is alive.', schema: Type.Object({ status: oneOf(['alive']) }) } },
  handle: async () => ({ status: 'alive' }),
}

/** Ready if the store answers and the server is not stopping. Reports a full disk. */
export const ready: Endpoint = {
  summary: 'Report whether the node can answer requests',
  takesAnyQuery: true,
  answers: {
    200: { description: 'The node is ready.', schema: Type.Object({ status: oneOf(['ready', 'storage full']) }) },
    503: {
      description: 'The node is not ready: send requests to another one.',
      schema: Type.Object({ status: oneOf(['stopping', 'store unreachable']) }),
    },
  },
  async handle({ service, stopping }, _request, reply) {
    if (stopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      if ((await service.store.ready()) === 'ready') return { status: 'ready' }
      // Live reads and searches still work, so load balancers should keep sending requests.
      service.log.error({}, 'the disk of the store is full: calls are answered, but nothing is stored')
      return { status: 'storage full' }
    } catch (error) {
      service.log.error(errorFields(error), 'the store does not answer')
      return reply.code(503).send({ status: 'store unreachable' })
    }
  },
}

export const metrics: Endpoint = {
  summary: 'Export metrics for Prometheus',
  takesAnyQuery: true,
  answers: { 200: { description: 'Its text format.', mediaType: 'text/plain' } },
  async handle({ metrics, overview, service }, _request, reply) {
    const shared = await overview()
    const levels = { syncs: service.syncs.load(), limits: service.engine.limitLoad(), shared }
    return reply.type(metrics.contentType).send(await metrics.text(levels))
  },
}
