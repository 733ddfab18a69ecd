/** Gets one whole answer from a system: authorizes, repeats what may be repeated, renews once, and judges what comes. */
import type { Credentials } from '../../catalog/authorization.ts'
import { ConexError } from '../../errors.ts'
import type { HeaderFields, WholeAnswer } from '../http/messages.ts'
import { readJson } from '../http/read-json.ts'
import { Passing, repeated } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import type { Allowance } from '../limits/limiter.ts'
import { authMethodOf, authorizationOf, customerAddress } from '../oauth/authorize.ts'
import { PageTooLarge } from '../recoverable-refusal.ts'
import type { SystemRequest } from '../request/request.ts'
import type { CallContext } from './call-context.ts'
import { type Fault, judge, lost } from './refuse.ts'
import { sendFollowing } from './send-following.ts'

/** An answer that was read: what the caller gets, the JSON by which it is judged, and why it is none. */
export interface ReadAnswer<T> {
  readonly value: T
  readonly json: unknown
  readonly broken: TransportFault | null
}

type Read<T> = (answer: WholeAnswer, context: CallContext) => Promise<ReadAnswer<T>>

/** The JSON that answers a request, or the error that the caller should see. */
export const sendWithRetries = (context: CallContext, request: SystemRequest, canShrink = false): Promise<unknown> =>
  sendReading(context, request, asJson, canShrink)

/** The answer to a request, read in another way. */
export async function sendReading<T>(
  context: CallContext,
  request: SystemRequest,
  read: Read<T>,
  canShrink = false,
): Promise<T> {
  const { connector, settings, signal } = context
  return repeated(context, async () => {
    // A wait can outlive a token, so it is looked at again, and may be renewed again: as often as there are waits.
    let credentials = await currentCredentials(context)
    for (let renewed = false; ; renewed = true) {
      const allowance = context.limiter(context, authMethodOf(connector, credentials), credentials)
      // This wait can outlive a token as well.
      if (await allowance.admit(context, request.path)) credentials = await currentCredentials(context)
      const outcome = await attempt(context, request, credentials, allowance, read)
      if (outcome.kind === 'answered') return outcome.value
      const { kind, error, asked = 0, silence = 0 } = outcome
      if (silence > 0) await allowance.close(request.path, silence)
      if (kind === 'passing' && !(canShrink && error instanceof PageTooLarge)) {
        const code = error instanceof ConexError ? error.code : error.name
        settings.log.debug({ connector_type: connector.kind, code }, 'a request failed in a way that may pass')
        return new Passing(error, asked)
      }
      const fresh = kind === 'unauthorized' && !renewed ? await context.credentials.renew(credentials) : null
      signal.throwIfAborted()
      if (fresh === null) throw error
      credentials = fresh
    }
  })
}

/** The credentials to use now. A renewal on the way there goes on for others when this call has ended meanwhile. */
async function currentCredentials({ credentials, signal }: CallContext): Promise<Credentials> {
  const current = await credentials.current()
  signal.throwIfAborted()
  return current
}

/** Sends the request once. */
async function attempt<T>(
  context: CallContext,
  request: SystemRequest,
  credentials: Credentials,
  allowance: Allowance,
  read: Read<T>,
): Promise<{ readonly kind: 'answered'; readonly value: T } | Fault> {
  const { connector, settings } = context
  const method = authMethodOf(connector, credentials)
  const authorization = authorizationOf(method, credentials, settings.platformApplications[connector.kind])
  if (authorization === undefined) {
    const detail = `The connector has no access token for ${connector.title} yet; give it credentials that can be renewed.`
    return { kind: 'unauthorized', error: new ConexError('reauthorization_required', detail) }
  }
  const baseUrl = customerAddress(method, credentials) ?? context.baseUrl
  // What the credentials look like on their way: a system may echo that as well.
  const header = authorization.headers.authorization?.replace(/^\S+ /, '') ?? ''
  const secrets = { ...credentials, ...authorization.query, header }
  const leave = await allowance.enter(context)
  try {
    const { answer, strayed } = await sendFollowing(context, baseUrl, request, authorization, secrets)
    const { status, headers } = answer
    if (!strayed) {
      tellOperator(context, headers)
      await allowance.told(connector, headers)
    }
    const { value, json, broken } = await read(answer, context)
    const upstream = { path: request.path, status, headers, body: json, text: broken?.beginning ?? '' }
    return judge(context, upstream, broken, secrets, strayed) ?? { kind: 'answered', value }
  } catch (error) {
    if (error instanceof TransportFault) return lost(connector.title, 'call', error)
    throw error
  } finally {
    leave()
  }
}

function tellOperator({ connector, baseUrl, settings, told }: CallContext, headers: HeaderFields): void {
  const notice = connector.notice?.(headers, baseUrl) ?? null
  if (notice === null || told.has(notice)) return
  told.add(notice)
  settings.log.warn({ connector_type: connector.kind }, notice)
}

/** The body as JSON; where it is none, why. */
async function asJson(answer: WholeAnswer, { settings, room, signal }: CallContext): Promise<ReadAnswer<unknown>> {
  const before = room.held()
  try {
    const json = await readJson(answer, settings.largestAnswer, { room, signal })
    return { value: json, json, broken: null }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    room.shrink(before)
    return { value: undefined, json: undefined, broken: error }
  }
}
