/** Handlers for the page on which end users connect systems. */
import { connectSession, createConnectSession as create } from '../service/connect-sessions.ts'
import { connectSessionSchema } from '../wire.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf } from './handler.ts'

export const createConnectSession: Endpoint = {
  summary: 'Make a session of the page on which an end user connects systems',
  body: connectSession,
  largestBody: 128 * 1024,
  answers: { 201: { description: 'A session that opens once.', schema: connectSessionSchema } },
  errors: ['not_found'],
  async handle({ service }, request, reply) {
    reply.code(201)
    return create(service, callerOf(request), request.body)
  },
}
