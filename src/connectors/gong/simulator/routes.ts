/** Every address of the simulated interface, below `/v2`. */
import { SimulatedRefusal } from '../../../kit/simulator.ts'
import { callRoutes, mediaScope } from './call-routes.ts'
import { companyRoutes } from './company-routes.ts'
import { errorReply, refuse } from './replies.ts'
import { statsRoutes } from './stats-routes.ts'

/** The limit counts before the request is read; a body has to be JSON. */
export const routes = [...companyRoutes, ...callRoutes, ...statsRoutes].map((one): typeof one => ({
  ...one,
  admit({ world, call }) {
    const wait = world.take()
    if (wait !== null)
      throw new SimulatedRefusal(errorReply(429, undefined, { 'retry-after': String(wait) }), 'limited')
    if (call.method === 'POST' && !/^application\/json\b/i.test(call.headers['content-type'] ?? '')) refuse(415)
  },
}))

export const scopes = [...new Set([...routes.flatMap((one) => one.scopes ?? []), mediaScope])]
