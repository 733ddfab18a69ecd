/** Gets one whole answer from a system: authorizes, repeats what may be repeated, renews once, and judges what comes. */
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Refusal, UpstreamAnswer } from '../../catalog/refusal.ts'
import { refusalText } from '../../catalog/refusal-text.ts'
import { ConexError, type UpstreamComplaint } from '../../errors.ts'
import type { HeaderFields, WholeAnswer } from '../http/messages.ts'
import { mediaTypeOf, readJson } from '../http/read-json.ts'
import { redact } from '../http/redact.ts'
import { longestWait, retryAfter, waitToRepeat } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import type { Allowance } from '../limits/limiter.ts'
import { type Authorization, authMethodOf, authorizationOf, customerAddress } from '../oauth/authorize.ts'
import { PageTooLarge, recoverable } from '../recoverable-refusal.ts'
import type { SystemRequest } from '../request/request.ts'
import type { CallContext } from './call-context.ts'
import { refusalError, refusalOf } from './refuse.ts'
import { sendFollowing } from './send-following.ts'

/** The answer to a request, or the error that the caller should see. */
export async function sendWithRetries(
  context: CallContext,
  request: SystemRequest,
  canShrink = false,
): Promise<unknown> {
  const { connector, settings, signal } = context
  const { path } = request
  let credentials = await currentCredentials(context)
  let renewed = false
  for (let repeat = 1; ; repeat++) {
    let method = authMethodOf(connector, credentials)
    const allowance = context.limiter(context, method, credentials)
    if (await allowance.admit(context, path)) {
      // This wait can outlive a token as well.
      credentials = await currentCredentials(context)
      method = authMethodOf(connector, credentials)
    }
    const outcome = await attempt(context, request, method, credentials, allowance)
    if (!(outcome instanceof Fault)) return outcome
    const { kind, error, asked, silence } = outcome
    if (silence > 0) await allowance.close(path, silence)
    if (kind === 'unauthorized' && !renewed) {
      const fresh = await context.credentials.renew(credentials)
      signal.throwIfAborted()
      if (fresh === null) throw error
      credentials = fresh
      renewed = true
      repeat--
      continue
    }
    const shrinks = canShrink && error instanceof PageTooLarge
    if (kind !== 'passing' || shrinks || !(await waitToRepeat(context, repeat, asked))) throw error
    settings.log.debug({ connector_type: connector.kind, repeat, code: codeOf(error) }, 'repeating a request')
    // A wait can outlive a token, so it is looked at again, and may be renewed again: as often as there are waits.
    credentials = await currentCredentials(context)
    renewed = false
  }
}

/** The credentials to use now. A renewal on the way there goes on for others when this call has ended meanwhile. */
async function currentCredentials({ credentials, signal }: CallContext): Promise<Credentials> {
  const current = await credentials.current()
  signal.throwIfAborted()
  return current
}

class Fault {
  readonly kind: 'final' | 'passing' | 'unauthorized'
  readonly error: Error
  /** Milliseconds that the system asked to wait. */
  readonly asked: number
  /** Milliseconds in which it wants no other call of these credentials either. */
  readonly silence: number
  constructor(kind: Fault['kind'], error: Error, asked = 0, silence = 0) {
    this.kind = kind
    this.error = error
    this.asked = asked
    this.silence = silence
  }
}

/** The body of the answer, or its fault. */
async function attempt(
  context: CallContext,
  request: SystemRequest,
  method: AuthMethod,
  credentials: Credentials,
  allowance: Allowance,
): Promise<unknown> {
  const { connector, settings } = context
  const authorization = authorizationOf(method, credentials, settings.platformApplications[connector.kind])
  if (authorization === undefined)
    return new Fault(
      'unauthorized',
      new ConexError(
        'reauthorization_required',
        `The connector has no access token for ${connector.title} yet; give it credentials that can be renewed.`,
      ),
    )
  const baseUrl = customerAddress(method, credentials) ?? context.baseUrl
  const leave = await allowance.enter(context)
  try {
    const secrets = { ...credentials, ...sentAs(authorization) }
    const { answer, strayed } = await sendFollowing(context, baseUrl, request, authorization, secrets)
    const { status, headers } = answer
    if (!strayed) {
      tellOperator(context, headers)
      await allowance.told(connector, headers)
    }
    const { json, broken } = await readBody(answer, context)
    const upstream: UpstreamAnswer = { path: request.path, status, headers, body: json, text: broken?.beginning ?? '' }
    const refusal = refusalOf(connector, upstream)
    if (refusal !== null) return faultOf(context, upstream, refusal, secrets, strayed)
    if (broken === null) return json
    return new Fault(kindOf(broken), unreadable(connector, upstream, broken.message, secrets))
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    return new Fault(kindOf(error), transportError(connector, error))
  } finally {
    leave()
  }
}

const kindOf = ({ transient }: TransportFault): Fault['kind'] => (transient ? 'passing' : 'final')

/** What the credentials look like on their way: a system may echo that as well. */
const sentAs = ({ headers, query }: Authorization): Credentials => ({
  ...query,
  header: headers.authorization?.replace(/^\S+ /, '') ?? '',
})

function tellOperator({ connector, baseUrl, settings, told }: CallContext, headers: HeaderFields): void {
  const notice = connector.notice?.(headers, baseUrl) ?? null
  if (notice === null || told.has(notice)) return
  told.add(notice)
  settings.log.warn({ connector_type: connector.kind }, notice)
}

function faultOf(
  { connector, settings }: CallContext,
  { status, headers }: UpstreamAnswer,
  refusal: Refusal,
  secrets: Credentials,
  strayed: boolean,
): Fault {
  const { code, transient, renew = code === 'reauthorization_required' } = refusal
  if (strayed && code === 'reauthorization_required')
    return new Fault(
      'final',
      new ConexError(
        'upstream_error',
        `${connector.title} redirected the request to another host, which wants a login; nothing was given to it.`,
      ),
    )
  const asked =
    retryAfter(headers['retry-after'], settings.clock.now()) || Math.min((refusal.retryAfter ?? 0) * 1000, longestWait)
  const wait = asked || (code === 'upstream_rate_limited' ? settings.retryCeiling : 0)
  return new Fault(
    renew ? 'unauthorized' : transient === true ? 'passing' : 'final',
    recoverable(refusal, refusalError(connector, status, refusal, secrets, wait)),
    asked,
    code === 'upstream_rate_limited' && refusal.partial !== true ? asked : 0,
  )
}

/** The body as JSON; where it is none, the fault of that, which counts only if nothing else is wrong. */
async function readBody(
  answer: WholeAnswer,
  { settings, room, signal }: CallContext,
): Promise<{ readonly json: unknown; readonly broken: TransportFault | null }> {
  const before = room.held()
  try {
    return { json: await readJson(answer, settings.largestAnswer, { room, signal }), broken: null }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    room.shrink(before)
    return { json: undefined, broken: error }
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
  const said = redact(refusalText(upstream), secrets)
  const message = said === '' ? mediaTypeOf(headers) : `${mediaTypeOf(headers)}: ${said}`
  return unusableAnswer(connector, `under status ${status} ${why}`, { status, code: null, message })
}

const codeOf = (error: Error): string => (error instanceof ConexError ? error.code : error.name)
