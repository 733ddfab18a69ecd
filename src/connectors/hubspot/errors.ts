/** The meaning of HubSpot's refusals ("Error handling"). HubSpot asks clients to rely on no field of a refusal. */
import type { ReadRefusal, Refusal } from '../../kit/connector.ts'

/** Reads `{"status": "error", "message", "category", "errors": [{"message", "context"}], "policyName"?}`. */
export const readRefusal: ReadRefusal = ({ status, body }) => {
  if (status < 400) return null
  const { message, category, policyName, errors } = (body ?? {}) as Record<string, unknown>
  const said = {
    ...(typeof category === 'string' && { upstreamCode: category }),
    ...(typeof message === 'string' && { message: message + scopesNamed(errors) }),
  }
  return { ...meaning(status, policyName === 'DAILY'), ...said }
}

function meaning(status: number, isDaily: boolean): Refusal {
  switch (status) {
    case 401:
    // Sent for a malformed token.
    case 530:
      return { code: 'reauthorization_required' }
    case 403:
      return { code: 'upstream_forbidden' }
    case 404:
      return { code: 'record_not_found' }
    case 423:
      return { code: 'upstream_error', transient: true, retryAfter: 2 }
    case 429:
      // The daily quota returns at midnight in the account's time zone; until then, a repeat is pointless.
      return {
        code: 'upstream_rate_limited',
        transient: !isDaily,
        ...(isDaily && { retryAfter: 3600 }),
      }
    // The account is moving to another data centre, which takes up to a day.
    case 477:
      return { code: 'upstream_error' }
    default:
      return status >= 500 ? { code: 'upstream_error', transient: true } : { code: 'upstream_refused' }
  }
}

/** Any one of the scopes in a MISSING_SCOPES is enough. */
function scopesNamed(errors: unknown): string {
  const contexts = Array.isArray(errors) ? errors.map((error) => (error as { context?: unknown } | null)?.context) : []
  const names = contexts.flatMap((context) => {
    const { requiredGranularScopes, requiredScopes } = (context ?? {}) as Record<string, unknown>
    return [requiredGranularScopes, requiredScopes].flat().filter((name) => typeof name === 'string')
  })
  return names.length === 0 ? '' : ` (needed: one of ${[...new Set(names)].join(', ')})`
}
