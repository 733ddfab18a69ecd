/** The meaning of Meta's refusals: by code and subcode, never by HTTP status ("Handling errors", "Error codes"). */
import type { ReadRefusal, Refusal, UpstreamAnswer } from '../../kit/connector.ts'
import { type GraphError, readGraphError } from './graph-error.ts'
import { secondsToWait } from './usage.ts'

/** Reads `{"error": {…}}`, which can come with any status, even 200. */
export const readRefusal: ReadRefusal = (answer) => {
  const error = readGraphError(answer.body)
  if (error === null) return null
  const refusal = meaningOf(error, answer)
  return {
    ...refusal,
    ...(error.isTransient && refusal.code !== 'reauthorization_required' ? { transient: true } : {}),
    ...(error.code === null ? {} : { upstreamCode: String(error.code) }),
    ...(error.told === '' ? {} : { message: error.told }),
  }
}

const passing: Refusal = { code: 'upstream_error', transient: true }
const tooMuch: Refusal = {
  code: 'upstream_refused',
  smallerPage: true,
  detail: 'This is too much for one answer from Meta; ask for fewer records, fields or days.',
}

function meaningOf(error: GraphError, answer: UpstreamAnswer): Refusal {
  const { code, subcode, message } = error
  // The application's own limits concern everything, the others one account or page.
  if (isThrottling(code)) return { ...throttled(answer), ...(code !== 4 && code !== 341 && { partial: true }) }
  if (code !== null && code >= 200 && code <= 299) return forbidden(message)
  switch (code) {
    case 1:
      return unknownFault(error)
    case 2:
      if (subcode === 1504038) return tooMuch
      return subcode === 1504041 || subcode === 1504042 ? { code: 'upstream_refused' } : passing
    case 3:
    case 10:
      return forbidden(message)
    // A field that the version no longer has; Meta also reports it as 100.
    case 12:
      return fieldGone(message)
    case 100:
      return invalidParameter(error, answer)
    case 102:
      return reauthorize()
    // Documented as a wrong signature; in practice, sometimes just a lost call.
    case 104:
    case 960:
      return passing
    case 190:
      return / permission\(s\) must be granted/.test(message) ? forbidden(message) : reauthorize(subcode)
    case 368:
      return {
        ...forbidden(message),
        retryAfter: 3600,
        detail: 'Meta has blocked this caller temporarily, for policy or abuse; wait at least an hour.',
      }
    case 2500:
      return /active access token/.test(message) ? reauthorize() : { code: 'upstream_refused' }
    case 2635:
      return {
        code: 'upstream_error',
        detail:
          'Meta no longer serves the version of its interface in the base address; the operator must set a newer one.',
      }
    case 2642:
      return { code: 'invalid_cursor' }
    default:
      return byStatus(answer)
  }
}

/** 80000 to 80014 are the limits by use case; 4 and 341 count the application, the others users, pages and accounts. */
const isThrottling = (code: number | null): boolean =>
  code !== null && ([4, 17, 32, 341, 613].includes(code) || (code >= 80_000 && code <= 80_014))

function throttled({ headers }: UpstreamAnswer): Refusal {
  const seconds = secondsToWait(headers)
  return {
    code: 'upstream_rate_limited',
    transient: true,
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  }
}

function unknownFault({ subcode, message }: GraphError): Refusal {
  if (/reduce the amount of data/i.test(message)) return tooMuch
  // A profile without a page; no repeat helps.
  if (subcode === 2853001) return forbidden(message)
  // In practice often a request that is too large, so Conex tries a smaller page if repeating has not helped.
  return subcode === 99 ? { ...passing, smallerPage: true } : passing
}

function invalidParameter({ subcode, message }: GraphError, { path }: UpstreamAnswer): Refusal {
  switch (subcode) {
    case 33:
      return missing(path)
    case 1487534:
    case 1504018:
      return tooMuch
    case 3191001:
      return forbidden(message)
    case 2446289:
      return {
        code: 'upstream_refused',
        brokenRecord: true,
        detail:
          'One creative on this page is incomplete at Meta, which makes the whole page fail; ask for fields=id, or for smaller pages.',
      }
  }
  if (/appsecret_proof/.test(message))
    return {
      ...reauthorize(),
      detail:
        'Meta rejects the proof of the application; send the client_id and client_secret of the token’s application.',
    }
  if (/missing permissions|requires \w+ permission/i.test(message)) return forbidden(message)
  if (/in summary param/i.test(message)) return passing
  if (/\bcursors?\b/i.test(message)) return { code: 'invalid_cursor' }
  return fieldGone(message)
}

/** Graph's words for a field that it does not know, or no longer knows. */
const goneFields = [
  /nonexisting field \((\w+)\)/,
  /^\(#100\) (\w+) is not valid for fields param/,
  /(\w+)['"`)]? (?:field )?(?:is|was|has been) (?:deprecated|removed)/i,
  /deprecated[^.]*? fields?:? ['"`(]?(\w+)/i,
]

function fieldGone(message: string): Refusal {
  for (const pattern of goneFields) {
    const field = pattern.exec(message)?.[1]
    if (field !== undefined) return { code: 'upstream_refused', unknownField: field }
  }
  return { code: 'upstream_refused' }
}

/** Graph does not distinguish a missing object from one that it hides. */
function missing(path: string): Refusal {
  return /^\/act_\d+\/./.test(path)
    ? {
        code: 'upstream_forbidden',
        detail:
          'Meta has no ad account with this id, or does not show it to these credentials; check account_id, and assign the account to their user.',
      }
    : {
        code: 'record_not_found',
        detail: 'Meta has no such object, or does not show it to these credentials; check the id and their access.',
      }
}

/** Permissions that reading ads can require ("Permissions reference"). */
const permission =
  /\b(ads_read|ads_management|business_management|pages_read_engagement|pages_show_list|read_insights|leads_retrieval|catalog_management|instagram_basic)\b/g

function forbidden(message: string): Refusal {
  const named = [...new Set(message.match(permission) ?? [])]
  return named.length === 0
    ? { code: 'upstream_forbidden' }
    : {
        code: 'upstream_forbidden',
        detail: `Meta requires ${named.join(' and ')} for this; grant it to these credentials, or use others.`,
      }
}

function reauthorize(subcode: number | null = null): Refusal {
  const reason = subcode === null ? undefined : reasons[subcode]
  return reason === undefined
    ? { code: 'reauthorization_required' }
    : { code: 'reauthorization_required', detail: `Meta rejects the token: ${reason}. Give the connector a new one.` }
}

/** Subcodes of 190. */
const reasons: Readonly<Record<number, string>> = {
  458: 'its user has removed the application',
  459: 'its user must log in at facebook.com first',
  460: 'its user has changed the password',
  463: 'it has expired',
  464: 'its user must confirm the account at facebook.com first',
  467: 'it is no longer valid',
  492: 'its user no longer has the role that it needs',
}

/** Unknown codes. */
function byStatus(answer: UpstreamAnswer): Refusal {
  const { status } = answer
  if (status === 401) return reauthorize()
  if (status === 403) return { code: 'upstream_forbidden' }
  if (status === 404) return { code: 'record_not_found' }
  if (status === 429) return throttled(answer)
  if (status >= 500) return passing
  return { code: status >= 400 ? 'upstream_refused' : 'upstream_error' }
}
