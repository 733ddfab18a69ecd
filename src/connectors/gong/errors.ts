/** What Gong's refusals mean. Texts from recorded answers, its reference and its users' reports. */
import type { ReadListRefusal, ReadRefusal, Refusal } from '../../catalog/refusal.ts'
import type { Params } from '../../catalog/rules.ts'

/** Reads `{"requestId", "errors": ["…"]}`, which has no codes and may also come under status 200. */
export const readRefusal: ReadRefusal = ({ status, body }) => {
  const told = complaintIn(body)
  if (status >= 200 && status < 300) return told === null ? null : { code: 'upstream_error', message: told }
  return { ...meaningOf(status, told), ...(told === null ? {} : { message: told }) }
}

function meaningOf(status: number, told: string | null): Refusal {
  switch (status) {
    case 400:
      // "cursor has expired", about an hour after the first page (Gong community), and unreadable ones.
      return { code: /\bcursor\b/i.test(told ?? '') ? 'invalid_cursor' : 'upstream_refused' }
    case 401:
      return unauthorized(told ?? '')
    case 403:
      // Also seen for revoked grants, so a renewal is tried where there is one.
      return {
        code: 'upstream_forbidden',
        renew: true,
        detail:
          'Gong denies access to these credentials; where their use is limited to certain addresses, add that of this service there.',
      }
    case 404:
      // Without Gong's own words this is some other server, and nothing is known about the record.
      return told === null
        ? {
            code: 'upstream_error',
            detail: 'There is no Gong at the address in use; check the base address of the system.',
          }
        : { code: 'record_not_found' }
    case 405:
    case 409:
    case 415:
      return { code: 'upstream_error' }
    case 429:
      return { code: 'upstream_rate_limited', transient: true }
    default:
      return status >= 500 ? { code: 'upstream_error', transient: true } : { code: 'upstream_refused' }
  }
}

/** A 401 may be about the token, the grant's scopes, or the whole company. */
function unauthorized(told: string): Refusal {
  const scope = /permission to use '([\w:-]{1,80})'/i.exec(told)?.[1]
  if (scope !== undefined)
    return {
      code: 'upstream_forbidden',
      upstreamCode: scope,
      detail: `The grant lacks the scope ${scope}; have an administrator of Gong add it to the key or consent again.`,
    }
  if (/company is inactive/i.test(told))
    return {
      code: 'reauthorization_required',
      renew: false,
      detail: 'Gong says that the company is inactive; no credentials of it work until that changes.',
    }
  return { code: 'reauthorization_required' }
}

/** Gong's words; null when the body does not have its form. */
function complaintIn(body: unknown): string | null {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors
  if (!Array.isArray(errors) || errors.length === 0) return null
  return errors.filter((error) => typeof error === 'string').join(' ')
}

/** Lists of calls say "not found" when the period or the filter has none; recorded, and only in these words. */
export const noCalls =
  (recordsAt: string): ReadListRefusal =>
  ({ code, message }) =>
    code === 'record_not_found' && /no calls found/i.test(message) ? { answer: { [recordsAt]: [] } } : null

/**
 * Lists whose documented 404 means that there are no records; `unless` some params name what can be missing. A bare
 * "not found" says that the address is unknown, not that the list is empty.
 */
export const noneFound =
  (recordsAt: string, unless: (params: Params) => boolean = () => false): ReadListRefusal =>
  ({ code, message }, params) => {
    if (code !== 'record_not_found' || unless(params)) return null
    return /^(not found)?$/i.test(message) ? notThere : { answer: { [recordsAt]: [] } }
  }

const notThere = {
  code: 'upstream_error',
  detail: 'Gong does not know this list, which it should; repeat the call later.',
} as const

/** Whether the filter names users, one of whom Gong may not know. */
export const namesUsers = ({ filter }: Params): boolean =>
  ((filter as { userIds?: readonly string[] } | undefined)?.userIds ?? []).length > 0

/** Lists of which no 404 is documented: it cannot be about a record. */
export const neverNotFound: ReadListRefusal = ({ code }) => (code === 'record_not_found' ? notThere : null)
