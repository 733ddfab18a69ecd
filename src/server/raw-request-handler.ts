/** Handler for raw requests: answers with the status, type and bytes of the third-party system. */
import { rawRequestSchema } from '../catalog/raw-request.ts'
import { rawRequest as send } from '../service/raw-request.ts'
import { callerGone } from './caller-gone.ts'
import { type Endpoint, failuresOfCalls } from './endpoint.ts'
import { callerOf, connectorIdOf } from './handler.ts'

export const rawRequest: Endpoint = {
  summary: 'Send a request that no operation describes, and get the answer as it came',
  body: rawRequestSchema,
  largestBody: 1024 * 1024,
  answers: { 200: { description: 'The answer of the third-party system.', mediaType: '*/*' } },
  errors: ['forbidden', 'invalid_params', 'record_not_found', ...failuresOfCalls],
  async handle({ service }, request, reply) {
    const signal = callerGone(reply)
    const caller = callerOf(request)
    const answer = await send(service, caller, connectorIdOf(request), request.body, signal, (held) => {
      if (signal.aborted) held.free()
      else reply.raw.once('close', () => held.free())
    })
    // A page of another system must not run as one of this server.
    reply.header('content-disposition', 'attachment')
    return reply
      .code(answer.status)
      .type(answer.type.replaceAll(/[^\x20-\x7e]/g, ''))
      .send(Buffer.from(answer.body))
  },
}
