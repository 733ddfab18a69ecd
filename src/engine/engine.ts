/** The engine: checks a call against the catalog, runs it against the third-party system, and returns what the catalog declares. */

import { ConexError } from '../errors.ts'
import {
  type Answer,
  answerOf,
  type Call,
  type CallTarget,
  type Download,
  type Engine,
  type StreamPage,
} from './call/call.ts'
import { type CallContext, type EngineContext, runCall } from './call/call-context.ts'
import { checkCall } from './call/check-call.ts'
import { getRecord } from './call/get-record.ts'
import { listPage } from './call/list-page.ts'
import { downloadFile } from './download/download.ts'
import { createAnswerMemory } from './http/answer-memory.ts'
import { createTransport } from './http/transport.ts'
import { createLimiter } from './limits/limiter.ts'
import { createShares, type Share } from './limits/shares.ts'
import { authMethodOf } from './oauth/authorize.ts'
import { redeemCode } from './oauth/consent.ts'
import { renewCredentials } from './oauth/renew.ts'
import { revokeGrant } from './oauth/revoke.ts'
import { withoutExpiry } from './oauth/token-fields.ts'
import { everyPage } from './paging/paging.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'

export function createEngine(given: Partial<EngineSettings> = {}): Engine {
  const settings: EngineSettings = { ...defaultEngineSettings, ...given }
  const transport = createTransport(settings)
  const limiter = createLimiter(settings)
  // The rest of the deadline is for the file.
  const enterShares = createShares(settings.deadline / 2)
  const together: readonly Share[] = [{ of: '', atOnce: settings.connections }]
  const newRoom = createAnswerMemory(settings.answerMemory)
  const shared: EngineContext = { transport, limiter, settings, told: new Set(), newRoom }

  const run = <T>(target: CallTarget, work: (context: CallContext) => Promise<T>, background = false): Promise<T> =>
    runCall(shared, target, work, background)

  async function execute(call: Call): Promise<Answer> {
    const { operation, params } = checkCall(call)
    if (operation === null) throw searchUnavailable(call)
    if (operation.action === 'download')
      throw new ConexError('unknown_action', 'A download gives bytes, not a record; ask for it as a download.')
    if (operation.action === 'get') return run(call, (context) => getRecord(context, { operation, params }))
    return answerOfPage(await run(call, (context) => listPage(context, { operation, params })))
  }

  return {
    verify: checkCall,

    execute,

    async check(target) {
      const { operation, ...named } = target.connector.check
      if (operation === undefined) await execute({ ...target, ...named })
      else await run(target, (context) => getRecord(context, { ...named, operation }))
    },

    async *pages(call) {
      const { operation, params } = checkCall(call)
      if (operation?.action !== 'list') throw new ConexError('unknown_action', 'Only a list has pages.')
      const pages = everyPage(operation, params, (query, size) =>
        run(call, (context) => listPage(context, { operation, params: query }, size)),
      )
      for await (const page of pages) yield answerOfPage(page)
    },

    streamPage: (call, operation) => run(call, (context) => listPage(context, { ...call, operation }, call.size), true),

    async streamRecord(call, operation) {
      const { result } = await run(call, (context) => getRecord(context, { ...call, operation }), true)
      return result as Readonly<Record<string, unknown>>
    },

    async budget({ connector, baseUrl = connector.baseUrl, credentials }) {
      const current = await credentials.current()
      const method = authMethodOf(connector, withoutExpiry(current))
      return limiter({ connector, baseUrl: baseUrl.replace(/\/+$/, '') }, method, current).budget()
    },

    async download(call) {
      const { operation, params } = checkCall(call)
      if (operation?.action !== 'download') throw new ConexError('unknown_action', 'Only a download gives a file.')
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

    renewCredentials: (connector, baseUrl, credentials) =>
      renewCredentials({ transport, settings, connector, baseUrl }, credentials),

    redeemCode: (connector, baseUrl, redemption) => redeemCode({ transport, settings, connector, baseUrl }, redemption),

    revokeGrant: (connector, baseUrl, credentials) =>
      revokeGrant({ transport, settings, connector, baseUrl }, credentials),

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
