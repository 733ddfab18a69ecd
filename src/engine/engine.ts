/** The engine: checks a call against the catalog, runs it against the third-party system, and gives back what is declared. */

import type { ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import { ConexError } from '../errors.ts'
import { type Answer, answerOf, type Call, type Download, type Engine, type StreamPage } from './call/call.ts'
import { converse, type Shared } from './call/call-context.ts'
import { checkCall } from './call/check-call.ts'
import { getRecord } from './call/get-record.ts'
import { listPage } from './call/list-page.ts'
import { requestFor } from './call/operation-cache.ts'
import { prepare } from './call/reader.ts'
import { downloadFile } from './download/download.ts'
import { type Share, Shares } from './download/shares.ts'
import { AnswerMemory } from './http/answer-memory.ts'
import { createTransport } from './http/transport.ts'
import { createLimiter } from './limits/limiter.ts'
import { authMethodOf } from './oauth/authorize.ts'
import { redeemCode } from './oauth/consent.ts'
import { renewCredentials } from './oauth/renew.ts'
import { revokeGrant } from './oauth/revoke.ts'
import { withoutExpiry } from './oauth/token-fields.ts'
import { everyPage } from './paging/every-page.ts'
import type { PageSize } from './paging/page-size.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'

export function createEngine(given: Partial<EngineSettings> = {}): Engine {
  const settings: EngineSettings = { ...defaultEngineSettings, ...given }
  const transport = createTransport(settings)
  const limiter = createLimiter(settings)
  // What is left of the deadline after waiting is for the file.
  const downloads = new Shares(settings.deadline / 2)
  const together: readonly Share[] = [{ of: '', atOnce: settings.connections }]
  const memory = new AnswerMemory(settings.answerMemory)
  const shared: Shared = { transport, limiter, settings, told: new Set(), memory }

  const page = (call: Call, operation: ListOperation, params: Params, size?: PageSize): Promise<StreamPage> =>
    converse(shared, call, (conversation) => listPage(conversation, operation, params, size))

  async function execute(call: Call): Promise<Answer> {
    const { operation, params } = checkCall(call)
    if (operation === null) throw searchUnavailable(call)
    if (operation.action === 'download')
      throw new ConexError('unknown_action', 'A download gives bytes, not a record; ask for it as a download.')
    if (operation.action === 'list') return answerOfPage(await page(call, operation, params))
    return converse(shared, call, (conversation) => getRecord(conversation, operation, params))
  }

  return {
    verify: (call) => {
      const { action, operation, params } = checkCall(call)
      return { action: operation === null ? 'search' : action, params }
    },

    execute,

    async check(given) {
      const { operation, ...named } = given.connector.check
      const call: Call = { ...given, ...named }
      if (operation === undefined) await execute(call)
      else await converse(shared, call, (conversation) => getRecord(conversation, operation, named.params))
    },

    async *pages(call) {
      const { operation, params } = checkCall(call)
      if (operation?.action !== 'list') throw new ConexError('unknown_action', 'Only a list has pages.')
      for await (const one of everyPage(operation, params, (next, size) => page(call, operation, next, size)))
        yield answerOfPage(one)
    },

    streamPage: (call, list) =>
      converse(shared, call, (conversation) => listPage(conversation, list, call.params, call.size), true),

    streamRecord: async (call, get) => {
      const { result } = await converse(shared, call, (conversation) => getRecord(conversation, get, call.params), true)
      return result as Readonly<Record<string, unknown>>
    },

    async budget({ connector, baseUrl = connector.baseUrl, credentials }) {
      const current = await credentials.current()
      const method = authMethodOf(connector, withoutExpiry(current))
      const allowance = limiter({ connector, baseUrl: baseUrl.replace(/\/+$/, '') }, method, current)
      return allowance === null ? null : allowance.budget()
    },

    async download(call) {
      const { operation, params } = checkCall(call)
      if (operation?.action !== 'download') throw new ConexError('unknown_action', 'Only a download gives a file.')
      return converse(shared, call, async (conversation) => {
        const leave = await downloads.enter(call.shares ?? together, conversation.signal)
        try {
          const prepared = await prepare(conversation, operation, params)
          const request = requestFor(conversation, operation, prepared)
          return handedOver(await downloadFile(conversation, operation, prepared, request), call.signal, leave)
        } catch (error) {
          leave()
          throw error
        }
      })
    },

    renewCredentials: (connector, baseUrl, credentials) =>
      renewCredentials(transport, settings, connector, baseUrl, credentials),

    redeemCode: (connector, baseUrl, redemption) => redeemCode(transport, settings, connector, baseUrl, redemption),

    revokeGrant: (connector, baseUrl, credentials) => revokeGrant(transport, settings, connector, baseUrl, credentials),

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
