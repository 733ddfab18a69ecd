/** Gets one whole answer from a system: authorizes, repeats what may be repeated, renews once, and judges what comes. */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Refusal, UpstreamAnswer } from '../../catalog/refusal.ts'
import { refusalText } from '../../catalog/refusal-text.ts'
import { ConexError, type UpstreamComplaint } from '../../errors.ts'
import { mediaTypeOf, readJson } from '../http/read-json.ts'
import { longestWait, retryAfter, retryDelay } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import type { WholeAnswer } from '../http/whole-answer.ts'
import type { Allowance } from '../limits/limiter.ts'
import { type Authorization, authMethodOf, authorizationOf, customerAddress } from '../oauth/authorize.ts'
import { withoutExpiry } from '../oauth/token-fields.ts'
import type { SystemRequest } from '../request/request.ts'
import type { Conversation } from './call-context.ts'
import { amendable, PageTooLarge } from './recoverable-refusal.ts'
import { refusalError, refusalOf, scrub } from './refuse.ts'
import { sendFollowing } from './send-following.ts'

/** The answer to a request, or the error that the caller should see. */
export async function ask(conversation: Conversation, request: SystemRequest): Promise<unknown> {
  const { connector, settings, signal, endsAt } = conversation
  const path = request.path.split('?', 1)[0]!
  let credentials = await currentCredentials(conversation)
  let renewed = false
  for (let repeat = 1; ; repeat++) {
    let method = authMethodOf(connector, withoutExpiry(credentials))
    const allowance = conversation.limiter(conversation, method, credentials)
    if (allowance !== null && (await allowance.turn(conversation, path))) {
      // Waiting for one's turn can outlive a token as well.
      credentials = await currentCredentials(conversation)
      method = authMethodOf(connector, withoutExpiry(credentials))
    }
    const outcome = await attempt(conversation, request, path, method, credentials, allowance)
    if (!('fault' in outcome)) return outcome.body
    const { fault } = outcome
    if (fault.silence > 0) await allowance?.close(path, fault.silence)
    if (fault.kind === 'unauthorized' && !renewed) {
      const fresh = await conversation.credentials.renew(credentials)
      signal.throwIfAborted()
      if (fresh === null) throw fault.error
      credentials = fresh
      renewed = true
      repeat--
      continue
    }
    const wait = retryDelay(repeat, fault.asked, settings.random)
    const shrinks = request.canShrink === true && fault.error instanceof PageTooLarge
    const hopeless =
      fault.kind !== 'passing' || shrinks || repeat > settings.retries || fault.asked > settings.retryCeiling
    if (hopeless || settings.clock.now() + wait >= endsAt) throw fault.error
    settings.log.debug(
      { connector_type: connector.kind, repeat, wait, code: codeOf(fault.error) },
      'repeating a request',
    )
    await settings.clock.sleep(wait, signal)
    // A wait can outlive a token, so it is looked at again, and may be renewed again: as often as there are waits.
    credentials = await currentCredentials(conversation)
    renewed = false
  }
}

/** The credentials to use now. A renewal on the way there goes on for others when this call has ended meanwhile. */
async function currentCredentials({ credentials, signal }: Conversation): Promise<Credentials> {
  const current = await credentials.current()
  signal.throwIfAborted()
  return current
}

interface Fault {
  readonly kind: 'final' | 'passing' | 'unauthorized'
  readonly error: Error
  /** Milliseconds that the system asked to wait. */
  readonly asked: number
  /** Milliseconds in which it wants no other call of these credentials either. */
  readonly silence: number
}

async function attempt(
  conversation: Conversation,
  request: SystemRequest,
  path: string,
  method: AuthMethod,
  credentials: Credentials,
  allowance: Allowance | null,
): Promise<{ readonly body: unknown } | { readonly fault: Fault }> {
  const { connector, settings } = conversation
  const authorization = authorizationOf(method, credentials, settings.platformApplications[connector.kind])
  if (authorization === undefined) {
    const error = new ConexError(
      'reauthorization_required',
      `The connector has no access token for ${connector.title} yet; give it credentials that can be renewed.`,
    )
    return { fault: { kind: 'unauthorized', error, asked: 0, silence: 0 } }
  }
  const baseUrl = customerAddress(method, credentials) ?? conversation.baseUrl
  const leave = allowance === null ? null : await allowance.enter(conversation)
  try {
    const secrets = { ...withoutExpiry(credentials), ...sentAs(authorization) }
    const { answer, strayed } = await sendFollowing(conversation, baseUrl, request, authorization, secrets)
    const { status, headers } = answer
    if (!strayed) {
      tellOperator(conversation, headers)
      if (allowance !== null) await allowance.told(connector, headers)
    }
    const { json, text, broken } = await readBody(answer, conversation)
    const upstream: UpstreamAnswer = { path, status, headers, body: json, text }
    const refusal = refusalOf(connector, upstream)
    if (refusal !== null) return { fault: faultOf(conversation, upstream, refusal, secrets, strayed) }
    if (broken === null) return { body: json }
    const error = unreadable(connector, upstream, broken.message, secrets)
    return { fault: { kind: broken.transient ? 'passing' : 'final', error, asked: 0, silence: 0 } }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    const kind = error.transient ? 'passing' : 'final'
    return { fault: { kind, error: transportError(connector, error), asked: 0, silence: 0 } }
  } finally {
    leave?.()
  }
}

/** What the credentials look like on their way: a system may echo that as well. */
const sentAs = ({ headers, query }: Authorization): Credentials => ({
  ...query,
  header: headers.authorization?.replace(/^\S+ /, '') ?? '',
})

function tellOperator({ connector, baseUrl, settings, told }: Conversation, headers: WholeAnswer['headers']): void {
  const notice = connector.notice?.(headers, baseUrl) ?? null
  if (notice === null || told.has(notice)) return
  told.add(notice)
  settings.log.warn({ connector_type: connector.kind }, notice)
}

function faultOf(
  { connector, settings }: Conversation,
  { status, headers }: UpstreamAnswer,
  refusal: Refusal,
  secrets: Credentials,
  strayed: boolean,
): Fault {
  const asked =
    retryAfter(headers['retry-after'], settings.clock.now()) || Math.min((refusal.retryAfter ?? 0) * 1000, longestWait)
  const passing = refusal.transient === true
  const waitSeconds =
    asked > 0
      ? Math.ceil(asked / 1000)
      : refusal.code === 'upstream_rate_limited'
        ? Math.ceil(settings.retryCeiling / 1000)
        : undefined
  if (strayed && refusal.code === 'reauthorization_required') {
    const error = new ConexError(
      'upstream_error',
      `${connector.title} redirected the request to another host, which wants a login; nothing was given to it.`,
    )
    return { kind: 'final', error, asked: 0, silence: 0 }
  }
  return {
    kind:
      (refusal.renew ?? refusal.code === 'reauthorization_required') ? 'unauthorized' : passing ? 'passing' : 'final',
    error: amendable(refusal, refusalError(connector, status, refusal, secrets, waitSeconds)),
    asked,
    silence: refusal.code === 'upstream_rate_limited' && refusal.partial !== true ? asked : 0,
  }
}

/** The body as JSON; where it is none, its beginning and the fault of that, which counts only if nothing else is wrong. */
async function readBody(
  answer: WholeAnswer,
  { settings, room, signal }: Conversation,
): Promise<{ readonly json: unknown; readonly text: string; readonly broken: TransportFault | null }> {
  const before = room.held()
  try {
    return { json: await readJson(answer, settings.largestAnswer, { room, signal }), text: '', broken: null }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    room.give(room.held() - before)
    return { json: undefined, text: error.beginning, broken: error }
  }
}

function transportError(connector: Connector, { reason, message }: TransportFault): ConexError {
  return reason === 'unusable'
    ? unusableAnswer(connector, message)
    : new ConexError('upstream_error', `${connector.title} gave no answer: ${message}; repeat the call later.`)
}

const unusableAnswer = ({ title }: Connector, why: string, upstream?: UpstreamComplaint): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    `${title} gave an answer that cannot be used: ${why}; repeat the call later.`,
    upstream === undefined ? {} : { upstream },
  )

/** An answer that came, and what came instead of JSON. */
function unreadable(connector: Connector, upstream: UpstreamAnswer, why: string, secrets: Credentials): ConexError {
  const { status, headers } = upstream
  const said = scrub(refusalText(upstream), secrets)
  const message = said === '' ? mediaTypeOf(headers) : `${mediaTypeOf(headers)}: ${said}`
  return unusableAnswer(connector, `under status ${status} ${why}`, { status, code: null, message })
}

const codeOf = (error: Error): string => (error instanceof ConexError ? error.code : error.name)
