/** Answers what operators ask: alive, ready, numbers. */
import type { Handler } from './handler.ts'
import { errorFields } from './logger.ts'

export const alive: Handler = async () => ({ status: 'alive' })

/** Ready while the store answers and the server is not stopping. */
export const ready: Handler = async ({ service, stopping }, _request, reply) => {
  if (stopping()) return reply.code(503).send({ status: 'stopping' })
  try {
    await service.store.ready()
    return { status: 'ready' }
  } catch (error) {
    service.log.error(errorFields(error), 'the store does not answer')
    return reply.code(503).send({ status: 'store unreachable' })
  }
}

export const metrics: Handler = async ({ metrics }, _request, reply) =>
  reply.type(metrics.contentType).send(await metrics.text())
