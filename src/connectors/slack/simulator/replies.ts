/** How the simulated Slack answers: nearly always with status 200, and `ok` in the body. */
import { jsonReply, type Reply, SimulatedRefusal } from '../../../kit/simulator.ts'

export const fine = (
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Reply => jsonReply(200, { ok: true, ...fields }, headers)

export const failed = (error: string, fields: Readonly<Record<string, unknown>> = {}): Reply =>
  jsonReply(200, { ok: false, error, ...fields })

export function refuse(error: string, fields: Readonly<Record<string, unknown>> = {}): never {
  throw new SimulatedRefusal(failed(error, fields), error)
}

export const limited = (seconds: number): Reply =>
  jsonReply(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(seconds) })

/** The default words for a status, for faults that name only the status. */
export function refusalFor(status: number): Reply {
  if (status === 429) return limited(30)
  if (status === 401) return failed('invalid_auth')
  if (status === 403) return failed('missing_scope', { needed: 'users:read', provided: 'channels:read' })
  if (status === 404) return failed('channel_not_found')
  return status >= 500
    ? { status, headers: { 'content-type': 'text/html' }, body: '<html><body>Server Error</body></html>' }
    : jsonReply(status, { ok: false, error: 'invalid_arguments' })
}
