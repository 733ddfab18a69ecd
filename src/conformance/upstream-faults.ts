/** What may happen at the third-party system, and the codes that the contract has for it. */
import type { Operation } from '../catalog/operation.ts'
import type { ErrorCode } from '../errors.ts'
import type { Effect } from '../simulator/fault-effects.ts'

export interface UpstreamFault {
  readonly fault: string
  readonly effect: Effect
  /** `an answer` is an empty list. */
  readonly codes: readonly (ErrorCode | 'an answer')[]
}

const status = (code: number, ...codes: UpstreamFault['codes']): UpstreamFault => ({
  fault: `status ${code}`,
  effect: { type: 'status', status: code },
  codes,
})

export const upstreamFaults = (action: Operation['action']): readonly UpstreamFault[] => [
  status(401, 'reauthorization_required'),
  // Few systems have plans; from the others it is a refusal like any.
  status(402, 'upstream_plan_required', 'upstream_refused', 'upstream_error'),
  status(403, 'upstream_forbidden'),
  // Of a list it is about what its params name, or an empty one in the system's words for that; else nothing can be told.
  ...(action === 'list'
    ? [status(404, 'upstream_refused', 'upstream_forbidden', 'upstream_invalid_response', 'an answer')]
    : [status(404, 'record_not_found')]),
  status(429, 'upstream_rate_limited'),
  status(500, 'upstream_error'),
  status(503, 'upstream_error'),
  { fault: 'an HTML page under 502', effect: { type: 'html', status: 502 }, codes: ['upstream_error'] },
  { fault: 'an HTML page under 200', effect: { type: 'html', status: 200 }, codes: ['upstream_invalid_response'] },
  { fault: 'half of the JSON', effect: { type: 'cut', as: 'json' }, codes: ['upstream_invalid_response'] },
  { fault: 'a cut body', effect: { type: 'cut', as: 'length' }, codes: ['upstream_invalid_response'] },
  { fault: 'JSON that is no object', effect: { type: 'body', body: '7' }, codes: ['upstream_invalid_response'] },
  { fault: 'a reset', effect: { type: 'reset' }, codes: ['upstream_error'] },
]
