/** Streams a file whose address stands in a record: reads the record, then the file, without credentials for other hosts. */
import type { DownloadOperation, FileLocation } from '../../catalog/operation.ts'
import { ConexError, type ErrorCode } from '../../errors.ts'
import type { Download } from '../call/call.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Asked, prepare, requestOf } from '../call/prepare.ts'
import { lost } from '../call/refuse.ts'
import { mostRedirects, whereTo } from '../call/send-following.ts'
import { sendWithRetries } from '../call/send-with-retries.ts'
import type { OpenedAnswer } from '../http/messages.ts'
import { Passing, repeated, retryAfter } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { authMethodOf, authorizationOf, customerAddress } from '../oauth/authorize.ts'
import { fileHeaders, framingOf, refusedTypesOf } from './file-answer.ts'
import { waitForFile } from './file-beginning.ts'
import { fileBytes } from './file-bytes.ts'

/** With these a host refuses a signed address, which may have run out between the two steps. */
const refusals: readonly number[] = [400, 401, 403]

/** Gets a file up to its first byte. */
export async function downloadFile(context: CallContext, asked: Asked<DownloadOperation>): Promise<Download> {
  const download = await prepare(context, asked)
  const { operation, params, reader } = download
  const range = typeof params.range_header === 'string' ? params.range_header : null
  const request = requestOf(download)
  const locate = async () => operation.locate(await sendWithRetries(context, request), params, reader)
  let located = await locate()
  let isRelocated = false
  return repeated(context, async () => {
    try {
      let answer = await open(context, operation, located.url, range)
      if (refusals.includes(answer.status) && !isRelocated) {
        isRelocated = true
        answer.body.destroy()
        located = await locate()
        answer = await open(context, operation, located.url, range)
      }
      return await fileIn(context, operation, located, range, answer)
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof TransportFault)) throw error
      const fault = lost("The file's host", 'download', error)
      if (fault.kind === 'final') throw fault.error
      return new Passing(fault.error)
    }
  })
}

/** Follows redirects itself, so that it can check every hop; sends credentials only to hosts that are the system's own. */
async function open(
  context: CallContext,
  operation: DownloadOperation,
  address: string,
  range: string | null,
): Promise<OpenedAnswer> {
  const { transport, settings, signal, connector } = context
  const authorization = operation.authorized ? await authorizationAt(context) : () => ({})
  const reject = (code: ErrorCode): never => {
    throw new ConexError(
      code,
      `The file address that ${connector.title} gave leads nowhere; repeat the download later.`,
    )
  }
  let url = URL.parse(address) ?? reject('upstream_error')
  // Asked for as they are: a compressed answer has no byte ranges, and some hosts drop the range when they may compress.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'conex', ...(range && { range }) }
  for (let hop = 0; hop <= mostRedirects; hop++) {
    url.hash = ''
    const shown = { ...headers, ...authorization(url) }
    const answer = await transport.open({ method: 'GET', url, headers: shown, signal }, settings.idleLimit)
    if (answer.status < 300 || answer.status >= 400) return answer
    answer.body.destroy()
    url = whereTo(answer.headers.location, url) ?? reject('upstream_invalid_response')
  }
  return reject('upstream_error')
}

/** The headers that authorize a request for a file, by its address: none outside of the base address's host. */
async function authorizationAt(context: CallContext): Promise<(url: URL) => Readonly<Record<string, string>>> {
  const { connector, baseUrl, credentials, settings } = context
  const current = await credentials.current()
  const method = authMethodOf(connector, current)
  const base = new URL(customerAddress(method, current) ?? baseUrl)
  const headers = authorizationOf(method, current, settings.platformApplications[connector.kind])?.headers ?? {}
  return ({ protocol, hostname }) => {
    const isOwn = hostname === base.hostname || hostname.endsWith(`.${base.hostname}`)
    return isOwn && protocol === base.protocol ? headers : {}
  }
}

/** The file that an answer holds, once its first byte is there. */
async function fileIn(
  context: CallContext,
  operation: DownloadOperation,
  located: FileLocation,
  range: string | null,
  answer: OpenedAnswer,
): Promise<Download | Passing> {
  const { status } = answer
  try {
    if (status !== 200 && status !== 206) return refused(context, answer)
    const framing = framingOf(answer, range, located)
    const headers = fileHeaders(answer, framing, located, operation, context.connector.title)
    const body = fileBytes(answer.body, framing)
    await waitForFile(body, refusedTypesOf(operation, located).includes('text/html'))
    context.signal.throwIfAborted()
    return { status, headers, body }
  } catch (error) {
    answer.body.destroy()
    throw error
  }
}

/** The meaning of an answer without a file: thrown, or given back where it passes. */
function refused({ connector: { title }, settings }: CallContext, { status, headers, body }: OpenedAnswer): Passing {
  body.destroy()
  const asked = retryAfter(headers['retry-after'], settings.clock.now())
  const error = (code: ErrorCode, detail: string, wait = 0, more: object = {}): ConexError =>
    new ConexError(code, detail, {
      upstream: { status, code: null, message: null },
      ...(wait > 0 && { retryAfter: Math.ceil(wait / 1000) }),
      ...more,
    })
  if (status === 416) {
    const size = String(headers['content-range'])
    const told = /^bytes \*\/\d+$/.test(size) ? { contentRange: size } : {}
    const detail = 'The file ends before this range begins; ask for a range inside it.'
    throw error('range_not_satisfiable', detail, 0, told)
  }
  if (status === 404 || status === 410) throw error('file_unavailable', `The file that ${title} points to is gone.`)
  if (refusals.includes(status))
    throw error('upstream_error', `The file's host refuses the address that ${title} gave; repeat the download later.`)
  if (status === 429) {
    const detail = "The file's host asks to slow down; repeat the download after the time in retry_after."
    return new Passing(error('upstream_rate_limited', detail, asked || settings.retryCeiling), asked)
  }
  const failed = error(
    'upstream_error',
    `The file's host failed with status ${status}; repeat the download later.`,
    asked,
  )
  if (status < 502 || status > 504) throw failed
  return new Passing(failed, asked)
}
