/** Turns every failure into the one form of error answer (RFC 9457). No other file knows statuses. */
import { ConexError, type ErrorCode, errorKinds, sentenceOf } from '../errors.ts'
import type { Problem } from '../wire.ts'

export interface ProblemAnswer {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

export const problemType = 'application/problem+json'

/** The error answer for anything that was thrown. */
export function problemOf(thrown: unknown, requestId: string): ProblemAnswer {
  const error = asConexError(thrown)
  const { status, title } = errorKinds[error.code]
  const retryAfter = error.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(error.retryAfter))
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (error.allow !== undefined) headers.allow = error.allow.join(', ')
  if (error.contentRange !== undefined) headers['content-range'] = error.contentRange
  return {
    headers,
    problem: {
      type: `urn:conex:error:${error.code}`,
      title,
      status,
      detail: error.message,
      code: error.code,
      request_id: requestId,
      ...(error.issues && {
        errors: error.issues.map((issue, place) => ({
          ...issue,
          userPresentableMessage: place === 0 ? error.message : sentenceOf(issue),
        })),
      }),
      ...(error.upstream && { upstream: error.upstream }),
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...(error.existingId !== undefined && { existing_id: error.existingId }),
    },
  }
}

/** The error as a `ConexError`. Anything unexpected is a defect, and its details stay hidden from the caller. */
export function asConexError(thrown: unknown): ConexError {
  if (thrown instanceof ConexError) return thrown
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? refusals[code] : undefined
  if (known !== undefined) return new ConexError(known[0], known[1], { cause: thrown })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ConexError('invalid_request', 'The request could not be read; check how it was sent.', { cause: thrown })
  return new ConexError(
    'internal',
    'Conex failed; repeat the request, and if it fails again, send the request_id to the operator.',
    { cause: thrown },
  )
}

/** Refusals by the HTTP layers below. */
const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is no such address: a part of it is longer than any id or name.'],
  FST_ERR_BAD_URL: ['not_found', 'The address is not well-formed; check its percent-escapes.'],
  HPE_HEADER_OVERFLOW: ['payload_too_large', 'The headers of the request are too large; send less.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'invalid_request',
    'The request did not arrive completely in time; send it again, faster.',
  ],
}
