/** The meaning of Gong's refusals. Texts from recorded answers, its reference and its users' reports. */
import {
  type Params,
  type ReadListRefusal,
  type ReadRefusal,
  type Refusal,
  refusalText,
  textIn,
} from '../../kit/connector.ts'

/** Reads `{"requestId", "errors": ["…"]}`, which has no codes and can also come with status 200. */
export const readRefusal: ReadRefusal = (answer) => {
  const { status, body } = answer
  const told = complaintIn(body)
  if (status >= 200 && status < 300) return told === null ? null : { code: 'upstream_error', message: told }
  const message = told ?? refusalText(answer)
  return { ...meaningOf(status, message, told !== null), ...(message !== '' && { message }) }
}

/** `isGongs`: the message has Gong's own form, and does not come from a gateway or another server. */
function meaningOf(status: number, told: string, isGongs: boolean): Refusal {
  switch (status) {
    case 400:
      // "cursor has expired", about an hour after the first page (Gong community), and unreadable cursors.
      return { code: /\bcursor\b/i.test(told) ? 'invalid_cursor' : 'upstream_refused' }
    case 401:
      return unauthorized(told)
    case 403:
      // Gong also sends this for revoked grants, so Conex tries a renewal if there is a grant.
      return {
        code: 'upstream_forbidden',
        renew: true,
        detail:
          'Gong denies access to these credentials; if Gong allows only certain addresses, add the address of this service.',
      }
    case 404:
      // Without Gong's own words, another server answered, and nothing is known about the record.
      return !isGongs || /no route matched/i.test(told)
        ? {
            code: 'upstream_invalid_response',
            detail: 'Gong is not at this address; check the base address of the system.',
          }
        : /\bno access\b|\bnot have access\b|\bpermission\b/i.test(told)
          ? { code: 'upstream_forbidden' }
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

/** A 401 can concern the token, the grant's scopes, or the whole company. */
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
      detail: 'Gong says that the company is inactive; its credentials do not work until that changes.',
    }
  return { code: 'reauthorization_required' }
}

/** Gong's words; null if the body does not have its form. */
function complaintIn(body: unknown): string | null {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors
  if (typeof errors === 'string' ? errors === '' : !Array.isArray(errors) || errors.length === 0) return null
  return textIn(errors)
}

/**
 * Lists whose documented 404 means that there are no records, if it is in Gong's words for that: "No calls found
 * corresponding to the provided filters" (recorded), "answered scorecards not found", "No library folders were
 * found". `what` is their name for the records, as a pattern.
 */
export function noneFound(recordsAt: string, what: string): ReadListRefusal {
  const saysNone = noneIn(what)
  return (refusal, params) => {
    const { code, message } = refusal
    return code === 'record_not_found' && saysNone(message) && !namesUnknown(message, params)
      ? { answer: { [recordsAt]: [] } }
      : neverNone(refusal, params)
  }
}

/** Whether Gong's words say that there are none. */
export function noneIn(what: string): (message: string) => boolean {
  const none = `(?:no ${what}(?: (?:was|were))?(?: found)?|${what}(?: (?:was|were))? not found)`
  const pattern = new RegExp(`^${none}${where}\\.?$`, 'i')
  return (message) => pattern.test(message)
}

/** How such a sentence can continue. */
const where =
  '(?: (?:for|in|within|matching|corresponding to) (?:the )?(?:given |specified |requested |provided )?(?:time )?(?:periods?|ranges?|dates?|filters?|workspace))?'

/**
 * Lists whose 404 never means that there are no records: it concerns something that the params name, or says nothing,
 * like a bare "Not Found".
 */
export const neverNone: ReadListRefusal = ({ code, message }, params) =>
  code !== 'record_not_found' || namesUnknown(message, params)
    ? null
    : {
        code: 'upstream_invalid_response',
        detail:
          'Gong answers "not found" to this list, but not in its words for an empty one; check the base address and the company’s data in Gong, or repeat the call later.',
      }

/** Whether the words concern an id in the params: "User ID 12 was not found", "Workspace not found". */
function namesUnknown(message: string, params: Params): boolean {
  const noun = /^(?:library )?([a-z]+?)s?(?: ID)?(?: \d+)?(?: (?:was|were))? not found\.?$/i.exec(message)?.[1]
  return noun !== undefined && new RegExp(`"${noun}-?ids?":`, 'i').test(JSON.stringify(params))
}
