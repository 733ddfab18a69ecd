/** Sends a request and follows the redirects of reads, with the credentials at the origin they belong to. */
import type { Credentials } from '../../catalog/authorization.ts'
import { ConexError, type ErrorCode } from '../../errors.ts'
import { stringifyJson } from '../../json.ts'
import type { WholeAnswer } from '../http/messages.ts'
import { writtenForms } from '../http/redact.ts'
import type { Authorization } from '../oauth/authorize.ts'
import { encodeQuery, type SystemRequest } from '../request/request.ts'
import type { CallContext } from './call-context.ts'

export const mostRedirects = 5

/** The address that a redirect leads to; null where it names none, or several. */
export const whereTo = (location: string | string[] | undefined, from: URL): URL | null =>
  typeof location === 'string' && location !== '' ? URL.parse(location, from.href) : null

/** The address with what authorizes it, where that stands in the query. */
function signed(url: URL, { query }: Authorization): URL {
  const missing = Object.entries(query).filter(([name]) => !url.searchParams.has(name))
  const signature = encodeQuery(Object.fromEntries(missing))
  if (signature !== '') url.search += `${url.search === '' ? '' : '&'}${signature}`
  return url
}

/** Whether an address holds a credential or its proof: systems repeat the query in their redirects. */
function repeats(url: URL, query: Authorization['query'], secrets: Credentials): boolean {
  const texts = [url.href, ...url.searchParams.values()]
  return (
    Object.keys(query).some((name) => url.searchParams.has(name)) ||
    writtenForms(Object.values(secrets)).some((form) => texts.some((text) => text.includes(form)))
  )
}

/** The answer at the end of the redirects; `strayed` when another origin gave it, which is never shown any of the secrets. */
export async function sendFollowing(
  { transport, signal, room, connector }: CallContext,
  baseUrl: string,
  { method = 'GET', path, query = {}, body, form }: SystemRequest,
  authorization: Authorization,
  secrets: Credentials,
): Promise<{ answer: WholeAnswer; strayed: boolean }> {
  const address = new URL(baseUrl + path)
  address.search = encodeQuery(query)
  let url = signed(address, authorization)
  const own = url.origin
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': 'conex',
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = form !== undefined ? encodeQuery(form) : body === undefined ? undefined : stringifyJson(body)
  const refuse = (code: ErrorCode, why: string): never => {
    throw new ConexError(code, `${connector.title} redirects the request ${why}`)
  }
  let strayed = false
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const shown = strayed ? headers : { ...headers, ...authorization.headers }
    const answer = await transport.send({ method, url, headers: shown, signal, room, body: sent })
    if (answer.status < 300 || answer.status >= 400) return { answer, strayed }
    const next =
      whereTo(answer.headers.location, url) ??
      refuse('upstream_invalid_response', 'without a usable address; repeat the call later.')
    // What a POST carries is meant for this system alone.
    if (method !== 'GET') break
    strayed ||= next.origin !== own
    if (strayed && repeats(next, authorization.query, secrets))
      refuse('upstream_error', 'to another host with what it was authorized by; nothing was sent there.')
    url = strayed ? next : signed(next, authorization)
  }
  return refuse('upstream_error', 'without end or to an unusable address; repeat the call later.')
}
