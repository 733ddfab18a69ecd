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
import { judge, lost, type Outcome } from './refuse.ts'
import { sendFollowing } from './send-following.ts'

/** The answer to a request, or the error that the caller should see. */
export async function sendWithRetries(
  context: CallContext,
  request: SystemRequest,
  canShrink = false,
): Promise<unknown> {
  const { connector, settings, signal } = context
  return repeated(context, async () => {
    // A wait can outlive a token, so it is looked at again, and may be renewed again: as often as there are waits.
    let credentials = await currentCredentials(context)
    for (let renewed = false; ; renewed = true) {
      const allowance = context.limiter(context, authMethodOf(connector, credentials), credentials)
      // This wait can outlive a token as well.
      if (await allowance.admit(context, request.path)) credentials = await currentCredentials(context)
      const outcome = await attempt(context, request, credentials, allowance)
      if (outcome.kind === 'answered') return outcome.json
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
async function attempt(
  context: CallContext,
  request: SystemRequest,
  credentials: Credentials,
  allowance: Allowance,
): Promise<Outcome> {
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
    const { body, broken } = await readBody(answer, context)
    const upstream = { path: request.path, status, headers, body, text: broken?.beginning ?? '' }
    return judge(context, upstream, broken, secrets, strayed)
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
async function readBody(
  answer: WholeAnswer,
  { settings, room, signal }: CallContext,
): Promise<{ readonly body: unknown; readonly broken: TransportFault | null }> {
  const before = room.held()
  try {
    return { body: await readJson(answer, settings.largestAnswer, { room, signal }), broken: null }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    room.shrink(before)
    return { body: undefined, broken: error }
  }
}
