/** Turns what a third-party system refused into the one error that the caller sees. */
import type { Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Refusal, UpstreamAnswer } from '../../catalog/refusal.ts'
import { refusalText } from '../../catalog/refusal-text.ts'
import { ConexError, type UpstreamComplaint } from '../../errors.ts'
import { redact } from '../http/redact.ts'

/** What an answer means: the kind's own reading first, else what its status says. Null when it is not a refusal. */
export function refusalOf(connector: Connector, answer: UpstreamAnswer): Refusal | null {
  const refusal = connector.readRefusal(answer) ?? refusalByStatus(answer.status)
  if (refusal === null || refusal.message) return refusal
  const message = refusalText(answer)
  return message === '' ? refusal : { ...refusal, message }
}

function refusalByStatus(status: number): Refusal | null {
  if (status >= 200 && status < 300) return null
  if (status < 400) return { code: 'upstream_error', message: 'unexpected redirect' }
  switch (status) {
    case 401:
      return { code: 'reauthorization_required' }
    case 402:
      return { code: 'upstream_plan_required' }
    case 403:
    case 451:
      return { code: 'upstream_forbidden' }
    case 404:
      return { code: 'record_not_found' }
    case 429:
      return { code: 'upstream_rate_limited', transient: true }
    case 502:
    case 503:
    case 504:
      return { code: 'upstream_error', transient: true }
    default:
      return { code: status >= 500 ? 'upstream_error' : 'upstream_refused' }
  }
}

/** The error for a refusal, without the secrets. `wait` is how many milliseconds to tell the caller to wait, or 0. */
export function refusalError(
  connector: Connector,
  status: number,
  refusal: Refusal,
  secrets: Credentials,
  wait: number,
): ConexError {
  const message = refusal.message === undefined ? null : redact(refusal.message, secrets)
  const code = refusal.upstreamCode === undefined ? null : redact(refusal.upstreamCode, secrets)
  const upstream: UpstreamComplaint = { status, code, message }
  const said = message === null || message === '' ? '' : ` It said: ${message}`
  return new ConexError(refusal.code, (refusal.detail ?? detailOf(connector.title, status, refusal)) + said, {
    upstream,
    ...(wait > 0 && { retryAfter: Math.ceil(wait / 1000) }),
  })
}

function detailOf(system: string, status: number, { code }: Refusal): string {
  switch (code) {
    case 'reauthorization_required':
      return `${system} rejects the credentials of this connector; give it new ones or have its user consent again.`
    case 'upstream_forbidden':
      return `${system} does not let these credentials read this; ask for the permission there, or use other credentials.`
    case 'upstream_plan_required':
      return `${system} offers this on a paid plan only; upgrade the account there, or read the same data another way.`
    case 'record_not_found':
      return `${system} has no such record, or does not show it to these credentials; check the id.`
    case 'upstream_rate_limited':
      return `${system} asks to slow down; repeat the call after the time in retry_after.`
    case 'invalid_cursor':
      return `${system} no longer knows this page token; start again from the first page.`
    case 'upstream_refused':
      return `${system} refuses the request; change the params as it asks.`
    default:
      return `${system} failed with status ${status}; repeat the call later.`
  }
}
