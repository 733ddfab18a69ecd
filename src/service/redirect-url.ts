/**
 * Where a browser may go after a consent, judged by the address as browsers parse it (WHATWG URL), never by its text.
 */
import { invalidRequest } from '../catalog/decode.ts'

/** Names that Conex adds. */
const ours = ['secret_id', 'server_side_oauth_secret_id', 'connector_id', 'error', 'error_description']

/** The address as browsers parse it; a 422 with the reason if browsers may not go there. */
export function readRedirectUrl(given: string, allowed: readonly string[] | null): string {
  const fault = unsafe(given)
  if (fault !== null) throw invalidRequest([{ path: '/redirect_url', message: fault }])
  const url = new URL(given)
  if (allowed !== null && !allowed.some((one) => samePlace(url, one)))
    throw invalidRequest([{ path: '/redirect_url', message: 'is not an address that the organization allows' }])
  return url.href
}

/** The fault of an address, as the end of a sentence that begins with its name; null without a fault. */
export function unsafe(given: string): string | null {
  const fault = unsafeAddress(given)
  if (fault !== null) return fault
  const { searchParams } = new URL(given)
  const taken = ours.find((name) => searchParams.has(name))
  if (taken !== undefined) return `must not contain ${taken} in its query; Conex adds it`
  return null
}

/** The same for an address to whose query Conex adds nothing of its own. */
export function unsafeAddress(given: string): string | null {
  const url = URL.parse(given)
  if (url === null) return 'must be a complete address, such as https://app.example/connected'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'must be https, or http on a loopback host (localhost, 127.0.0.1, [::1])'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user or a password; the part before an @ is not the host'
  // Only the complete address shows an empty fragment.
  if (url.href.includes('#')) return 'must not have a fragment: browsers do not send it'
  return null
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

/** An allowed address is allowed with any query. */
function samePlace(url: URL, allowed: string): boolean {
  const other = URL.parse(allowed)
  return other !== null && other.origin === url.origin && other.pathname === url.pathname
}

/** Adds to the query of an address, and leaves the rest unchanged, letter for letter. */
export function withQuery(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  const added = new URLSearchParams(more).toString()
  url.search = url.search === '' ? added : `${url.search}&${added}`
  return url.href
}
