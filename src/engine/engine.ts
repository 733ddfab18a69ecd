/** The engine: checks a call against the catalog, runs it against the third-party system, and returns what the catalog declares. */

import type { Credentials } from '../catalog/authorization.ts'
import { chooserOf } from '../catalog/choose-fields.ts'
import type { Connector } from '../catalog/connector.ts'
import type { GetOperation, ListOperation } from '../catalog/operation.ts'
import { checkRawRequest } from '../catalog/raw-request.ts'
import { sqlActions } from '../catalog/sql-params.ts'
import { ConexError } from '../errors.ts'
import {
  type Answer,
  answerOf,
  type Call,
  type CallTarget,
  type Download,
  type StreamCall,
  type StreamPage,
} from './call/call.ts'
import { type CallContext, type EngineContext, runCall } from './call/call-context.ts'
import { checkCall } from './call/check-call.ts'
import { getRecord } from './call/get-record.ts'
import { listPage } from './call/list-page.ts'
import { type RawAnswer, requestRaw } from './call/raw-request.ts'
import { shapeAnswer } from './call/shape-answer.ts'
import { downloadFile } from './download/download.ts'
import { createAnswerMemory } from './http/answer-memory.ts'
import type { HttpRequest } from './http/messages.ts'
import { postMessage } from './http/post-message.ts'
import { type ReadDocument, readDocument } from './http/read-document.ts'
import { createTransport } from './http/transport.ts'
import { createLimiter } from './limits/limiter.ts'
import { createShares, type Share } from './limits/shares.ts'
import { authMethodOf } from './oauth/authorize.ts'
import { type Redemption, redeemCode } from './oauth/consent.ts'
import { renewCredentials } from './oauth/renew.ts'
import { revokeGrant } from './oauth/revoke.ts'
import { everyPage } from './paging/paging.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'

/** Runs operations against third-party systems. */
export type Engine = ReturnType<typeof createEngine>

export function createEngine(given: Partial<EngineSettings> = {}) {
  const settings: EngineSettings = { ...defaultEngineSettings, ...given }
  const { around = (own) => own } = settings
  const transport = around(createTransport(settings))
  const limiter = createLimiter(settings)
  // The rest of the deadline is for the file.
  const enterShares = createShares(settings.deadline / 2)
  const together: readonly Share[] = [{ of: '', atOnce: settings.connections }]
  const newRoom = createAnswerMemory(settings.answerMemory)
  const shared: EngineContext = { transport, limiter, settings, told: new Set(), newRoom }

  const run = <T>(target: CallTarget, work: (context: CallContext) => Promise<T>, background = false): Promise<T> =>
    runCall(shared, target, work, background)

  /** Runs a list or a get. */
  async function execute(call: Call): Promise<Answer> {
    if (sqlActions.has(call.action)) throw searchUnavailable(call)
    const { operation, params, fields } = checkCall(call)
    if (operation === null) throw searchUnavailable(call)
    if (operation.action === 'download')
      throw new ConexError('unknown_action', 'A download returns bytes, not a record; call download instead.')
    const answer =
      operation.action === 'get'
        ? await run(call, (context) => getRecord(context, { operation, params, fields }))
        : answerOfPage(await run(call, (context) => listPage(context, { operation, params, fields })))
    return shapeAnswer(answer, chooserOf(fields))
  }

  return {
    /** Checks that an operation exists and its params fit, without sending anything; throws the contract's 422s. */
    verify: checkCall,

    execute,

    /** Makes the kind's own check of credentials; throws the fault that it finds. */
    async check(target: CallTarget): Promise<void> {
      const { operation, ...named } = target.connector.check
      if (operation === undefined) await execute({ ...target, ...named })
      else await run(target, (context) => getRecord(context, { ...named, operation }))
    },

    /** Runs a list page by page to its end; throws where its pages bring nothing any more. */
    async *pages(call: Call): AsyncGenerator<Answer, void, undefined> {
      const { operation, params, fields } = checkCall(call)
      if (operation?.action !== 'list') throw new ConexError('unknown_action', 'Only a list has pages.')
      const pages = everyPage(operation, params, (query, size) =>
        run(call, (context) => listPage(context, { operation, params: query, fields }, size)),
      )
      const chooser = chooserOf(fields)
      for await (const page of pages) yield await shapeAnswer(answerOfPage(page), chooser)
    },

    /** Reads one page of a list for a copy; calls of callers go first where the system limits them. */
    streamPage: (call: StreamCall, operation: ListOperation): Promise<StreamPage> =>
      run(call, (context) => listPage(context, { ...call, operation }, call.size), true),

    /** Reads one record for a copy. */
    async streamRecord(call: StreamCall, operation: GetOperation): Promise<Readonly<Record<string, unknown>>> {
      const { result } = await run(call, (context) => getRecord(context, { ...call, operation }), true)
      return result as Readonly<Record<string, unknown>>
    },

    /** Sends a request that no operation describes, if the kind knows it as a read. */
    request: async (target: CallTarget, given: unknown): Promise<RawAnswer> => {
      const request = checkRawRequest(target.connector, given)
      return run(target, (context) => requestRaw(context, request))
    },

    /** The calls left for these credentials; null where the kind declares no limits. */
    async budget({ connector, baseUrl = connector.baseUrl, credentials }: CallTarget) {
      const current = await credentials.current()
      const method = authMethodOf(connector, current)
      return limiter({ connector, baseUrl: baseUrl.replace(/\/+$/, '') }, method, current).budget()
    },

    /** How the limits stand on this node, by kind; asks nobody. */
    limitLoad: () => limiter.load(),

    /** Runs a download up to its first byte. */
    async download(call: Call): Promise<Download> {
      const { operation, params } = checkCall(call)
      if (operation?.action !== 'download') throw new ConexError('unknown_action', 'Only a download returns a file.')
      return run(call, async (context) => {
        const leave = await enterShares(call.shares ?? together, context.signal)
        try {
          return handedOver(await downloadFile(context, { operation, params }), call.signal, leave)
        } catch (error) {
          leave()
          throw error
        }
      })
    },

    /** Asks the system's token endpoint for new credentials; gives the whole new set, or null when there is nothing to renew with. */
    renewCredentials: (connector: Connector, baseUrl: string | undefined, credentials: Credentials) =>
      renewCredentials({ transport, settings, connector, baseUrl }, credentials),

    /** Asks the system's token endpoint for the credentials that a consent has given. */
    redeemCode: (connector: Connector, baseUrl: string | undefined, redemption: Redemption) =>
      redeemCode({ transport, settings, connector, baseUrl }, redemption),

    /** Gives the grant back to the system, where it has a way to. Never throws for what the system does. */
    revokeGrant: (connector: Connector, baseUrl: string | undefined, credentials: Credentials) =>
      revokeGrant({ transport, settings, connector, baseUrl }, credentials),

    /** Reads a public document of a party that is no system, such as the keys of an identity provider. */
    readDocument: (url: URL, signal: AbortSignal): Promise<ReadDocument> => readDocument(transport, url, signal),

    /** Sends a message to a party that is no system; gives the status of its answer, and reads nothing else of it. */
    post: (message: Omit<HttpRequest, 'method'>): Promise<number> => postMessage(transport, message),

    /** Ends all connections; calls that still run fail. */
    close: () => transport.close(),
  }
}

const answerOfPage = ({ records, block, warnings }: StreamPage): Answer => answerOf(records, block, warnings)

function searchUnavailable({ connector }: Call): ConexError {
  return new ConexError(
    'search_unavailable',
    `There is no copy of ${connector.title} to search here; use list and get, or a hosted connector that keeps a copy.`,
  )
}

/** From here on the caller's own signal alone ends the stream: the deadline ran to the first byte. */
function handedOver(download: Download, signal: AbortSignal | undefined, leave: () => void): Download {
  const stop = (): void => void download.body.destroy()
  const closed = (): void => {
    signal?.removeEventListener('abort', stop)
    leave()
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (download.body.closed) closed()
  else download.body.once('close', closed)
  return download
}
