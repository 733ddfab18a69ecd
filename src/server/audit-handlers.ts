/** Handlers for the audit log, and the entries for denied access. */
import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../errors.ts'
import { auditQuery, listAudit as list } from '../service/list-audit.ts'
import { auditListSchema } from '../wire.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, type ServerContext } from './handler.ts'
import { errorFields } from './logger.ts'

export const listAudit: Endpoint = {
  summary: 'Read the audit log',
  query: auditQuery,
  answers: { 200: { description: 'Entries, newest first.', schema: auditListSchema } },
  errors: ['invalid_cursor'],
  handle: ({ service }, request) => list(service, callerOf(request), request.query),
}

/**
 * Records that a known caller was refused: the token is of the wrong type, or the resource does not exist for this
 * caller. A request without a valid token belongs to no organization and appears only in the log.
 */
export function noteDenial(context: ServerContext, request: FastifyRequest, code: ErrorCode): void {
  const named = (request.params as { readonly connector_id?: string } | undefined)?.connector_id
  if (code === 'forbidden' || (code === 'not_found' && named !== undefined)) noteDenied(context, request, code)
}

/** The same for a request that is known to be denied. */
export function noteDenied({ service, denials }: ServerContext, request: FastifyRequest, code: ErrorCode): void {
  const { caller } = request
  if (caller === null) return
  const details = { code, method: request.method, route: request.routeOptions.url ?? 'unknown' }
  denials.write(service, caller, details).catch((error) => service.log.error(errorFields(error), 'no audit entry'))
}
