/** Sends a request and follows the redirects of reads, with the credentials at the origin they belong to. */
import { ConexError } from '../errors.ts'
import { stringifyJson } from '../json.ts'
import type { Authorization } from './authorize.ts'
import type { Conversation } from './conversation.ts'
import { queryOf, type SystemRequest } from './request.ts'
import type { WholeAnswer } from './whole-answer.ts'

const mostRedirects = 5

/** The answer at the end of the redirects; `strayed` when another origin gave it. */
export async function sendFollowing(
  { transport, signal, connector }: Conversation,
  baseUrl: string,
  { method, path, body, form }: SystemRequest,
  authorization: Authorization,
): Promise<{ answer: WholeAnswer; strayed: boolean }> {
  const signature = queryOf(authorization.query)
  let url = new URL(baseUrl + path + (signature === '' ? '' : `${path.includes('?') ? '&' : '?'}${signature}`))
  let strayed = false
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': 'conex',
    }
    if (!strayed) Object.assign(headers, authorization.headers)
    if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
    else if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = form ?? (body === undefined ? undefined : stringifyJson(body))
    const answer = await transport.send({ method, url, headers, signal, body: sent })
    const location = answer.headers.location
    if (answer.status < 300 || answer.status >= 400 || typeof location !== 'string') return { answer, strayed }
    const next = URL.parse(location, url.href)
    // What a POST carries is meant for this system alone.
    if (next === null || method !== 'GET') break
    strayed ||= next.origin !== url.origin
    url = next
  }
  throw new ConexError(
    'upstream_error',
    `${connector.title} redirects the request without end or to an unusable address; repeat the call later.`,
  )
}
