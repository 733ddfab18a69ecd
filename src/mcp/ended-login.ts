/**
 * A tool call that meets a login which its system no longer accepts: the user is asked to sign in there again, by a link
 * that the client opens where it can, and by a link in words where it cannot.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server'
import { ConexError } from '../errors.ts'
import type { ConnectorSummary, Source } from '../tools/source.ts'

/** A system has refused the credentials of this connector. */
export class LoginEnded extends Error {
  override readonly name = 'LoginEnded'
  readonly connector: ConnectorSummary
  readonly refusal: ConexError
  constructor(connector: ConnectorSummary, refusal: ConexError) {
    super(refusal.message)
    this.connector = connector
    this.refusal = refusal
  }
}

/** The source, with refusals that tell which connector they are about. */
export function tellingLogins(source: Source): Source {
  const telling =
    <Rest extends readonly unknown[], Result>(read: (connector: ConnectorSummary, ...rest: Rest) => Promise<Result>) =>
    (connector: ConnectorSummary, ...rest: Rest): Promise<Result> =>
      read(connector, ...rest).catch((error: unknown) => {
        const isRefused = error instanceof ConexError && error.code === 'reauthorization_required'
        throw isRefused ? new LoginEnded(connector, error) : error
      })
  return {
    ...source,
    execute: telling(source.execute),
    download: telling(source.download),
    link: telling(source.link),
  }
}

/** How a client lets its user open a link: as input that a call needs, after an error, or by showing what is said. */
export type Asking = 'input' | 'error' | 'words'

/** What the client of a request has declared. `opensLinks` is what it said in a handshake that another server heard. */
export function askingOf(server: Server, { mcpReq: { envelope } }: ServerContext, opensLinks: boolean): Asking {
  if (envelope !== undefined) {
    const { [CLIENT_CAPABILITIES_META_KEY]: declared } = envelope as Envelope
    return declared?.elicitation?.url === undefined ? 'words' : 'input'
  }
  // Before this revision, clients knew forms alone.
  const knowsLinks = server.getNegotiatedProtocolVersion() === '2025-11-25'
  const declared = knowsLinks && server.getClientCapabilities()?.elicitation?.url !== undefined
  return declared || opensLinks ? 'error' : 'words'
}

/** What every request of revision 2026-07-28 says of its client. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
}

/** What to do about an ended login: tell the model this sentence, or ask the client; null to repeat the call. */
export type Remedy = string | InputRequiredResult | UrlElicitationRequiredError | null

const key = 'sign_in'

/** Asks for a new login, or waits for the one that the client was asked for before. */
export async function remedyFor(
  connector: ConnectorSummary,
  source: Source,
  { mcpReq: { inputResponses, requestState } }: ServerContext,
  asking: Asking,
  signal: AbortSignal,
): Promise<Remedy> {
  const response = inputResponse(inputResponses, key)
  if (response.kind === 'elicit' && response.action !== 'accept')
    return 'The user did not want to sign in now; repeat the call when they do.'
  const state = requestState<string>()
  // The client brings it back when its user has opened the link. It says no more than how long to wait.
  if (Number(state) > Date.now()) {
    if (await isSignedIn(source, connector.id, signal)) return null
    return inputRequired({ requestState: state! })
  }
  let link: Awaited<ReturnType<Source['signInLink']>>
  try {
    link = await source.signInLink(connector)
  } catch (error) {
    if (error instanceof ConexError && error.status < 500) return error.message
    throw error
  }
  const { url, expires_in } = link
  const { title } = await source.type(connector.connector_type)
  const message = `${title} no longer accepts the login of the connection "${connector.name}". Sign in there again to go on.`
  if (asking === 'error')
    return new UrlElicitationRequiredError([{ mode: 'url', url, message, elicitationId: randomUUID() }], message)
  if (asking === 'words')
    return `Next: ask the user to sign in to ${title} again at ${url} (within ${expires_in / 60} minutes), then repeat the same call.`
  const inputRequests = { [key]: inputRequired.elicitUrl({ url, message }) }
  return inputRequired({ inputRequests, requestState: String(Date.now() + expires_in * 1000) })
}

/** Shorter than the minute after which clients and proxies give up; the client then asks again. */
const longestWaitMs = 25_000
const betweenLooksMs = 500

/** Waits for a while until a connector has a login that was not refused yet. */
async function isSignedIn(source: Source, id: string, signal: AbortSignal): Promise<boolean> {
  for (const end = Date.now() + longestWaitMs; Date.now() < end; ) {
    const { status } = await source.connector(id)
    if (status !== 'reauthorization_required') return true
    await wait(betweenLooksMs, undefined, { signal })
  }
  return false
}
