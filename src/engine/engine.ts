/** The engine: checks a call against the catalog, runs it against the third-party system, and gives back what is declared. */

import { findAction } from '../catalog/catalog.ts'
import { checkParams } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import type { GetOperation, ListOperation, Operation } from '../catalog/operation.ts'
import type { Paging } from '../catalog/paging.ts'
import type { Params } from '../catalog/rules.ts'
import { searchParams } from '../catalog/search-params.ts'
import { ConexError } from '../errors.ts'
import { ask, type Conversation, FieldUnknown, PageTooLarge, withoutExpiry } from './ask.ts'
import { askList } from './ask-list.ts'
import { authMethodOf } from './authorize.ts'
import type { Answer, Call, Download, Engine, StreamPage, Warning } from './call.ts'
import { compileCoercion } from './coerce.ts'
import { redeemCode } from './consent.ts'
import { downloadFile } from './download.ts'
import { withFewerFields } from './fewer-fields.ts'
import { createLimiter } from './limiter.ts'
import { cursorPage, numberedPage, repeatedToken, walkedPage } from './paging/cursor.ts'
import { at, type Fetch, type Page } from './paging/page.ts'
import { timePage } from './paging/time.ts'
import { wholePage } from './paging/whole.ts'
import { readerOf } from './reader.ts'
import { renewCredentials } from './renew.ts'
import { compileRequest, type SystemRequest } from './request.ts'
import { revokeGrant } from './revoke.ts'
import { askedFields } from './selection.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'
import { createTransport } from './transport.ts'

export function createEngine(given: Partial<EngineSettings> = {}): Engine {
  const settings: EngineSettings = { ...defaultEngineSettings, ...given }
  const transport = createTransport(settings)
  const limiter = createLimiter(settings)
  const told = new Set<string>()

  /** Runs the work of one call under its deadline; `released` ends the deadline early, for downloads that have begun. */
  async function converse<T>(
    call: Omit<Call, 'entity' | 'action' | 'params'>,
    work: (conversation: Conversation) => Promise<T>,
    background = false,
  ): Promise<T> {
    const { connector, credentials, signal: callerSignal } = call
    const controller = new AbortController()
    const late = setTimeout(() => controller.abort(deadlineError(connector, settings.deadline)), settings.deadline)
    const gone = (): void => controller.abort(callerSignal!.reason)
    if (callerSignal?.aborted) gone()
    callerSignal?.addEventListener('abort', gone, { once: true })
    try {
      return await work({
        connector,
        baseUrl: (call.baseUrl ?? connector.baseUrl).replace(/\/+$/, ''),
        credentials,
        transport,
        limiter,
        settings,
        told,
        signal: controller.signal,
        endsAt: settings.clock.now() + settings.deadline,
        background,
      })
    } catch (error) {
      if (error instanceof PageTooLarge || error instanceof FieldUnknown) throw error.error
      throw controller.signal.aborted ? controller.signal.reason : error
    } finally {
      clearTimeout(late)
      callerSignal?.removeEventListener('abort', gone)
    }
  }

  async function page(call: Call, operation: ListOperation, params: Params): Promise<Page & { answer: Answer }> {
    return converse(call, async (conversation) => {
      const found = await readPage(conversation, operation, params)
      return { ...found, answer: answerOf(found.records, found.block, found.warnings) }
    })
  }

  async function execute(call: Call): Promise<Answer> {
    const { operation, params } = checked(call)
    if (operation === null) throw searchUnavailable(call)
    if (operation.action === 'download')
      throw new ConexError('unknown_action', 'A download gives bytes, not a record; ask for it as a download.')
    if (operation.action === 'list') return (await page(call, operation, params)).answer
    return converse(call, (conversation) => getRecord(conversation, operation, params))
  }

  return {
    verify: (call) => {
      const { action, operation, params } = checked(call)
      return { action: operation === null ? 'search' : action, params }
    },

    execute,

    async check(given) {
      const { operation, ...named } = given.connector.check
      const call: Call = { ...given, ...named }
      if (operation === undefined) await execute(call)
      else await converse(call, (conversation) => getRecord(conversation, operation, named.params))
    },

    async *pages(call) {
      const { operation, params } = checked(call)
      if (operation?.action !== 'list') throw new ConexError('unknown_action', 'Only a list has pages.')
      const seen = new Set<string>()
      for (let next: Params | null = params; next !== null; ) {
        const found: Page & { answer: Answer } = await page(call, operation, next)
        yield found.answer
        next = found.next
        if (next === null) return
        const key = JSON.stringify(next)
        if (seen.has(key)) throw repeatedToken()
        seen.add(key)
      }
    },

    streamPage: (call, list) => converse(call, (conversation) => readPage(conversation, list, call.params), true),

    streamRecord: (call, get) =>
      converse(
        call,
        async (conversation) =>
          (await getRecord(conversation, get, call.params)).result as Readonly<Record<string, unknown>>,
        true,
      ),

    async budget({ connector, baseUrl = connector.baseUrl, credentials }) {
      const current = await credentials.current()
      const method = authMethodOf(connector, withoutExpiry(current))
      const allowance = limiter({ connector, baseUrl: baseUrl.replace(/\/+$/, '') }, method, current)
      return allowance === null ? null : allowance.budget()
    },

    async download(call) {
      const { operation, params } = checked(call)
      if (operation?.action !== 'download') throw new ConexError('unknown_action', 'Only a download gives a file.')
      return converse(call, async (conversation) => {
        const prepared = await prepare(conversation, operation, params)
        return handedOver(
          await downloadFile(conversation, operation, prepared, requestFor(conversation, operation, prepared)),
          call.signal,
        )
      })
    },

    renewCredentials: (connector, baseUrl, credentials) =>
      renewCredentials(transport, settings, connector, baseUrl, credentials),

    redeemCode: (connector, baseUrl, redemption) => redeemCode(transport, settings, connector, baseUrl, redemption),

    revokeGrant: (connector, baseUrl, credentials) => revokeGrant(transport, settings, connector, baseUrl, credentials),

    close: () => transport.close(),
  }
}

/** The operation that a call names and its params, checked; a null operation stands for search. */
function checked({
  connector,
  entity: entityName,
  action: actionName,
  params = {},
}: Pick<Call, 'connector' | 'entity' | 'action' | 'params'>): {
  action: Operation['action']
  operation: Operation | null
  params: Params
} {
  const action = findAction(connector, entityName, actionName)
  const operation = action === 'search' ? null : connector.entities[entityName]![action]!
  const issues = checkParams(operation?.params ?? searchParams, operation?.rules, params, '/params')
  if (issues.length > 0) {
    const [first] = issues
    throw new ConexError(
      'invalid_params',
      `${entityName}.${action} cannot run with these params: ${describeIssue(first!)}`,
      { issues },
    )
  }
  return { action: operation?.action ?? 'list', operation, params: params as Params }
}

/** An issue as the end of a sentence: rules are sentences already, other faults name their param. */
function describeIssue({ path, message }: { path: string; message: string }): string {
  const ended = /[.?!]$/.test(message) ? message : `${message}.`
  const name = path.replace(/^\/params\/?/, '')
  return /^[a-z]/.test(message) && name !== '' ? `${name} ${ended}` : ended
}

function searchUnavailable({ connector }: Call): ConexError {
  return new ConexError(
    'search_unavailable',
    `There is no copy of ${connector.title} to search here; use list and get, or a hosted connector that keeps a copy.`,
  )
}

/** One page with its records as declared. */
async function readPage(conversation: Conversation, operation: ListOperation, params: Params): Promise<StreamPage> {
  const prepared = await prepare(conversation, operation, params)
  const asked = askedFields(operation, params)
  const { value: found, warnings: narrowed } = await withFewerFields(operation, asked, (without) =>
    pageOf(conversation, operation, prepared, without),
  )
  const { records, warnings } = coerced(operation, asked, found.records)
  return {
    records: records as StreamPage['records'],
    block: found.block,
    next: found.next,
    total: found.total ?? null,
    warnings: [...narrowed, ...(found.warnings ?? []), ...warnings],
  }
}

async function prepare(conversation: Conversation, operation: Operation, params: Params): Promise<Params> {
  return operation.prepare === undefined ? params : operation.prepare(params, readerOf(conversation))
}

/** One page, by the operation's detour where the usual way is too narrow for even the smallest page. */
async function pageOf(
  conversation: Conversation,
  operation: ListOperation,
  params: Params,
  without: ReadonlySet<string>,
): Promise<Page> {
  const { paging, detour } = operation
  const page = (answerTo: (params: Params) => Promise<unknown>): Promise<Page> =>
    pageBy(paging, params, fetchWith(conversation, operation, answerTo))
  const usual = (sent: Params): Promise<unknown> =>
    askList(conversation, operation, sent, requestFor(conversation, operation, sent, without))
  if (detour === undefined) return page(usual)
  const around = (sent: Params): Promise<unknown> => {
    const [, query = ''] = requestFor(conversation, operation, sent, without).path.split('?')
    const carried = Object.fromEntries(new URLSearchParams(query))
    return detour.answer({ ...readerOf(conversation), params: sent, query: carried })
  }
  if (detour.owns(params)) return page(around)
  // A page token belongs to the way that gave it out, so only a first page can still go another way.
  const isFirst = paging.style !== 'cursor' || params[paging.cursor] === undefined
  try {
    return await page(usual)
  } catch (error) {
    if (isFirst && error instanceof PageTooLarge) return page(around)
    throw error
  }
}

function fetchWith(
  conversation: Conversation,
  operation: ListOperation,
  answerTo: (params: Params) => Promise<unknown>,
): Fetch {
  return async (params) => {
    const body = await answerTo(params)
    const records = at(body, operation.recordsAt)
    if (!Array.isArray(records))
      throw new ConexError(
        'upstream_invalid_response',
        `${conversation.connector.title} gave an answer without its list of records; repeat the call later.`,
      )
    return { body, records: await reshaped(conversation, operation, records, body, params) }
  }
}

async function reshaped(
  conversation: Conversation,
  operation: ListOperation | GetOperation,
  records: readonly unknown[],
  answer: unknown,
  params: Params,
): Promise<readonly unknown[]> {
  if (operation.reshape === undefined) return records
  const asked = askedFields(operation, params)
  return operation.reshape(records, { ...readerOf(conversation), answer, params, asked })
}

function pageBy(paging: Paging, params: Params, fetch: Fetch): Promise<Page> {
  switch (paging.style) {
    case 'none':
      return fetch(params).then(({ records }) => ({ records, block: {}, next: null }))
    case 'cursor':
      return cursorPage(paging, params, fetch)
    case 'page number':
      return numberedPage(paging, params, fetch)
    case 'walk':
      return walkedPage(paging, params, fetch)
    case 'whole':
      return wholePage(paging, params, fetch)
    case 'time':
      return timePage(paging, params, fetch)
  }
}

async function getRecord(conversation: Conversation, operation: GetOperation, params: Params): Promise<Answer> {
  const prepared = await prepare(conversation, operation, params)
  const asked = askedFields(operation, params)
  const { value: body, warnings } = await withFewerFields(operation, asked, (without) =>
    ask(conversation, requestFor(conversation, operation, prepared, without)),
  )
  const record = at(body, operation.recordsAt)
  const { title } = conversation.connector
  if (record === undefined)
    throw new ConexError(
      'upstream_invalid_response',
      `${title} gave an answer without the record; repeat the call later.`,
    )
  const [found] = await reshaped(conversation, operation, [record], body, prepared)
  if (found === undefined)
    throw new ConexError('record_not_found', `${title} has no such record that may be shown; check the id.`)
  const coercion = coercionOf(operation)(asked)
  return answerOf(coercion.record(found, '/result'), {}, [...warnings, ...coercion.warnings()])
}

function coerced(
  operation: ListOperation,
  asked: ReadonlySet<string> | undefined,
  records: readonly unknown[],
): { records: unknown[]; warnings: Warning[] } {
  const coercion = coercionOf(operation)(asked)
  return {
    records: records.map((record, index) => coercion.record(record, `/result/${index}`)),
    warnings: coercion.warnings(),
  }
}

function answerOf(result: unknown, block: Readonly<Record<string, unknown>>, warnings: readonly Warning[]): Answer {
  return { result, connector_metadata: warnings.length === 0 ? block : { ...block, warnings } }
}

/** What is worked out once per operation, on its first use. */
function perOperation<O extends Operation, T>(make: (operation: O) => T): (operation: O) => T {
  const made = new WeakMap<O, T>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const fresh = make(operation)
    made.set(operation, fresh)
    return fresh
  }
}

const requestOf = perOperation(compileRequest)

/** The request for these params, without the fields that the system refused. */
const requestFor = (
  { settings }: Conversation,
  operation: Operation,
  params: Params,
  without?: ReadonlySet<string>,
): SystemRequest => requestOf(operation)(params, settings.clock.now(), without)

const coercionOf = perOperation(({ record }: ListOperation | GetOperation) => {
  const identity = Object.entries(record.properties).find(([, field]) => 'x-identifier' in field)?.[0]
  return compileCoercion(record, identity)
})

/** From here on the caller's own signal alone ends the stream: the deadline ran to the first byte. */
function handedOver(download: Download, signal: AbortSignal | undefined): Download {
  if (download.body.closed) return download
  const stop = (): void => void download.body.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  download.body.once('close', () => signal?.removeEventListener('abort', stop))
  return download
}

function deadlineError(connector: Connector, deadline: number): ConexError {
  return new ConexError(
    'upstream_timeout',
    `${connector.title} did not answer within ${deadline / 1000} seconds; ask for less, or repeat the call later.`,
  )
}
