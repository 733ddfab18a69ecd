/** How the simulated HubSpot refuses. */
import { randomUUID } from 'node:crypto'
import { jsonReply, type Reply } from '../../../kit/simulator.ts'

export function refused(
  status: number,
  category: string | undefined,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  const correlationId = randomUUID()
  const body = { status: 'error', message, correlationId, ...(category !== undefined && { category }), ...more }
  return jsonReply(status, body, { 'x-hubspot-correlation-id': correlationId })
}

/** Token endpoints send the standard's code beside the older status. */
export const tokenRefused = (status: string, error: string, message: string): Reply =>
  jsonReply(400, { status, message, correlationId: randomUUID(), error, error_description: message })

/** The default words for a status, for faults that name only the status. */
export function refusalFor(status: number): Reply {
  switch (status) {
    case 401:
      return refused(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
    case 403:
      return refused(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes.', {
        errors: [
          {
            message: 'One or more of these scopes is required.',
            context: { requiredGranularScopes: ['crm.objects.contacts.read'] },
          },
        ],
      })
    case 404:
      return refused(404, 'OBJECT_NOT_FOUND', 'The object was not found.')
    case 423:
      return refused(423, 'LOCKED', 'The resource is locked for a moment.')
    case 429:
      return refused(429, 'RATE_LIMITS', 'You have reached your ten-second limit.', {
        errorType: 'RATE_LIMIT',
        policyName: 'TEN_SECONDLY_ROLLING',
      })
    default:
      return status >= 500
        ? { status, headers: { 'content-type': 'text/html' }, body: '<html><body>Server error</body></html>' }
        : refused(status, 'VALIDATION_ERROR', 'The request is not valid.')
  }
}
