/** Judges what a third-party system answered: it is the JSON that was asked for, or the one error that the caller sees. */
import type { Credentials } from '../../catalog/authorization.ts'
import type { Refusal, UpstreamAnswer } from '../../catalog/refusal.ts'
import { refusalText } from '../../catalog/refusal-text.ts'
import { ConexError, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import { mediaTypeOf } from '../http/read-json.ts'
import { redact } from '../http/redact.ts'
import { longestWait, retryAfter } from '../http/retry.ts'
import type { TransportFault } from '../http/transport-fault.ts'
import { recoverable } from '../recoverable-refusal.ts'
import type { CallContext } from './call-context.ts'

/** What became of a request that has no answer for the caller. */
export interface Fault {
  /** A passing one may be repeated, an unauthorized one with renewed credentials. */
  readonly kind: 'passing' | 'unauthorized' | 'final'
  readonly error: Error
  /** Milliseconds that the system asked to wait. */
  readonly asked?: number
  /** Milliseconds in which it wants no other call of these credentials either. */
  readonly silence?: number
}

/**
 * Judges an answer: null if it is what was asked for; `strayed` when another origin gave it. A broken body counts only
 * if nothing else is wrong.
 */
export function judge(
  { connector, settings }: Pick<CallContext, 'connector' | 'settings'>,
  answer: UpstreamAnswer,
  broken: TransportFault | null,
  secrets: Credentials,
  strayed: boolean,
): Fault | null {
  const { status, headers } = answer
  const refusal = connector.readRefusal(answer) ?? refusalByStatus(status)
  if (refusal === null) {
    if (broken === null) return null
    const came = [mediaTypeOf(headers), redact(refusalText(answer), secrets)].filter(Boolean).join(': ')
    const upstream = { status, code: null, message: came }
    return lost(connector.title, 'call', broken, `under status ${status} `, { upstream })
  }
  const { code, transient, renew = code === 'reauthorization_required' } = refusal
  if (strayed && code === 'reauthorization_required') {
    const detail = `${connector.title} redirected the request to another host, which wants a login; nothing was given to it.`
    return { kind: 'final', error: new ConexError('upstream_error', detail) }
  }
  const isLimited = code === 'upstream_rate_limited'
  const asked =
    retryAfter(headers['retry-after'], settings.clock.now()) || Math.min((refusal.retryAfter ?? 0) * 1000, longestWait)
  const wait = asked || (isLimited ? settings.retryCeiling : 0)
  const safe = (text: string | undefined): string | null => (text === undefined ? null : redact(text, secrets))
  const message = safe(refusal.message || refusalText(answer) || refusal.message)
  const upstream = { status, code: safe(refusal.upstreamCode), message }
  const asUsual = `${connector.title} ${details[code] ?? `failed with status ${status}; repeat the call later.`}`
  const error = new ConexError(code, (refusal.detail ?? asUsual) + saying(message), {
    upstream,
    ...(wait > 0 && { retryAfter: Math.ceil(wait / 1000) }),
  })
  return {
    kind: renew ? 'unauthorized' : transient ? 'passing' : 'final',
    error: recoverable(refusal, error),
    asked,
    silence: isLimited && refusal.partial !== true ? asked : 0,
  }
}

/** The fault of an answer from this host that never came, or that is of no use. */
export function lost(
  host: string,
  what: 'call' | 'download',
  { reason, transient, message }: TransportFault,
  under = '',
  details: ErrorDetails = {},
): Fault {
  const [code, gave] =
    reason === 'unusable'
      ? (['upstream_invalid_response', 'an answer that cannot be used'] as const)
      : ([reason === 'silent' ? 'upstream_timeout' : 'upstream_error', 'no answer'] as const)
  const error = new ConexError(code, `${host} gave ${gave}: ${under}${message}; repeat the ${what} later.`, details)
  return { kind: transient ? 'passing' : 'final', error }
}

/** What the system said, as the end of a detail. */
export const saying = (message: string | null | undefined): string => (message ? ` It said: ${message}` : '')

/** What a status means where the kind has no reading of its own; null when it is not a refusal. */
function refusalByStatus(status: number): Refusal | null {
  if (status >= 200 && status < 300) return null
  if (status < 400) return { code: 'upstream_error', message: 'unexpected redirect' }
  return byStatus[status] ?? { code: status >= 500 ? 'upstream_error' : 'upstream_refused' }
}

const byStatus: Readonly<Record<number, Refusal>> = {
  401: { code: 'reauthorization_required' },
  402: { code: 'upstream_plan_required' },
  403: { code: 'upstream_forbidden' },
  404: { code: 'record_not_found' },
  429: { code: 'upstream_rate_limited', transient: true },
  451: { code: 'upstream_forbidden' },
  502: { code: 'upstream_error', transient: true },
  503: { code: 'upstream_error', transient: true },
  504: { code: 'upstream_error', transient: true },
}

/** What the caller is told, behind the name of the system. */
const details: Partial<Record<ErrorCode, string>> = {
  reauthorization_required:
    'rejects the credentials of this connector; give it new ones or have its user consent again.',
  upstream_forbidden:
    'does not let these credentials read this; ask for the permission there, or use other credentials.',
  upstream_plan_required:
    'offers this on a paid plan only; upgrade the account there, or read the same data another way.',
  record_not_found: 'has no such record, or does not show it to these credentials; check the id.',
  upstream_rate_limited: 'asks to slow down; repeat the call after the time in retry_after.',
  invalid_cursor: 'no longer knows this page token; start again from the first page.',
  upstream_refused: 'refuses the request; change the params as it asks.',
}
