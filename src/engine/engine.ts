/** The engine: checks a call against the catalog, runs it against the third-party system, and gives back what is declared. */

import { findAction } from '../catalog/catalog.ts'
import { checkParams } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import type { GetOperation, ListOperation, Operation, Reader } from '../catalog/operation.ts'
import type { Paging } from '../catalog/paging.ts'
import type { Params } from '../catalog/rules.ts'
import { searchParams } from '../catalog/search-params.ts'
import { ConexError } from '../errors.ts'
import { ask, type Conversation, PageTooLarge } from './ask.ts'
import type { Answer, Call, Download, Engine, Warning } from './call.ts'
import { compileCoercion } from './coerce.ts'
import { redeemCode } from './consent.ts'
import { downloadFile } from './download.ts'
import { cursorPage, numberedPage, repeatedToken, walkedPage } from './paging/cursor.ts'
import { at, type Fetch, type Page } from './paging/page.ts'
import { timePage } from './paging/time.ts'
import { wholePage } from './paging/whole.ts'
import { renewCredentials } from './renew.ts'
import { compileRequest, encode, type SystemRequest } from './request.ts'
import { revokeGrant } from './revoke.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'
import { createTransport } from './transport.ts'

export function createEngine(given: Partial<EngineSettings> = {}): Engine {
  const settings: EngineSettings = { ...defaultEngineSettings, ...given }
  const transport = createTransport(settings)

  /** Runs the work of one call under its deadline; `released` ends the deadline early, for downloads that have begun. */
  async function converse<T>(call: Call, work: (conversation: Conversation) => Promise<T>): Promise<T> {
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
        settings,
        signal: controller.signal,
        endsAt: settings.clock.now() + settings.deadline,
      })
    } catch (error) {
      if (error instanceof PageTooLarge) throw error.error
      throw controller.signal.aborted ? controller.signal.reason : error
    } finally {
      clearTimeout(late)
      callerSignal?.removeEventListener('abort', gone)
    }
  }

  async function page(call: Call, operation: ListOperation, params: Params): Promise<Page & { answer: Answer }> {
    return converse(call, async (conversation) => {
      const prepared = await prepare(conversation, operation, params)
      const found = await pageBy(operation.paging, prepared, fetchWith(conversation, operation))
      const { records, warnings } = coerced(operation, params, found.records)
      const all = [...(found.warnings ?? []), ...warnings]
      return { ...found, answer: answerOf(records, found.block, all) }
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

    async download(call) {
      const { operation, params } = checked(call)
      if (operation?.action !== 'download') throw new ConexError('unknown_action', 'Only a download gives a file.')
      return converse(call, async (conversation) => {
        const prepared = await prepare(conversation, operation, params)
        return handedOver(
          await downloadFile(conversation, operation, prepared, requestOf(operation)(prepared)),
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

async function prepare(conversation: Conversation, operation: Operation, params: Params): Promise<Params> {
  return operation.prepare === undefined ? params : operation.prepare(params, readerOf(conversation))
}

function readerOf(conversation: Conversation): Reader {
  return {
    read({ method = 'GET', path, query = {}, body }) {
      const text = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
      const request: SystemRequest = { method, path: text.length === 0 ? path : `${path}?${text.join('&')}` }
      return ask(conversation, body === undefined ? request : { ...request, body })
    },
  }
}

function fetchWith(conversation: Conversation, operation: ListOperation): Fetch {
  return async (params) => {
    const body = await ask(conversation, requestOf(operation)(params))
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
  return operation.reshape === undefined
    ? records
    : operation.reshape(records, { ...readerOf(conversation), answer, params })
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
  const body = await ask(conversation, requestOf(operation)(prepared))
  const record = at(body, operation.recordsAt)
  const [found] = record === undefined ? [] : await reshaped(conversation, operation, [record], body, prepared)
  if (found === undefined)
    throw new ConexError(
      'upstream_invalid_response',
      `${conversation.connector.title} gave an answer without the record; repeat the call later.`,
    )
  const coercion = coercionOf(operation)(askedFields(operation, params))
  return answerOf(coercion.record(found, '/result'), {}, coercion.warnings())
}

function coerced(
  operation: ListOperation,
  params: Params,
  records: readonly unknown[],
): { records: unknown[]; warnings: Warning[] } {
  const coercion = coercionOf(operation)(askedFields(operation, params))
  return {
    records: records.map((record, index) => coercion.record(record, `/result/${index}`)),
    warnings: coercion.warnings(),
  }
}

function answerOf(result: unknown, block: Readonly<Record<string, unknown>>, warnings: readonly Warning[]): Answer {
  return { result, connector_metadata: warnings.length === 0 ? block : { ...block, warnings } }
}

/** The fields that the caller selected; undefined when the default ones were asked for. */
function askedFields({ select }: Operation, params: Params): ReadonlySet<string> | undefined {
  const chosen = select?.param === undefined ? undefined : params[select.param]
  if (typeof chosen !== 'string' || chosen.trim() === '') return undefined
  return new Set(
    withoutSubselections(chosen)
      .split(',')
      .map((field) => field.trim().split(/[.(]/)[0]!),
  )
}

/** Sub-selections such as creative{id,name} belong to the field before them. */
function withoutSubselections(fields: string): string {
  let depth = 0
  let flat = ''
  for (const part of fields.split(/([{}])/)) {
    if (part === '{') depth++
    else if (part === '}') depth = Math.max(0, depth - 1)
    else if (depth === 0) flat += part
  }
  return flat
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
