/** Streams a file whose address stands in a record: reads the record, then the file, with no credentials for the file's host. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { DownloadOperation, FileLocation } from '../../catalog/operation.ts'
import { ConexError, type ErrorCode } from '../../errors.ts'
import type { Download } from '../call/call.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Asked, prepare, requestOf } from '../call/prepare.ts'
import { mostRedirects, whereTo } from '../call/send-following.ts'
import { sendWithRetries } from '../call/send-with-retries.ts'
import type { OpenedAnswer } from '../http/messages.ts'
import { retryAfter, waitToRepeat } from '../http/retry.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { type FileAnswer, fileHeaders, framingOf, unusableFile } from './file-answer.ts'
import { fileBytes } from './file-bytes.ts'
import { beginsAsPage } from './page-sniff.ts'

/** Gets a file up to its first byte. */
export async function downloadFile(context: CallContext, asked: Asked<DownloadOperation>): Promise<Download> {
  const download = await prepare(context, asked)
  const { operation, params, reader } = download
  const range = typeof params.range_header === 'string' ? params.range_header : null
  const request = requestOf(download)
  const locate = async () => operation.locate(await sendWithRetries(context, request), params, reader)
  let located = await locate()
  let relocated = false
  for (let repeat = 1; ; repeat++) {
    const outcome = await attempt(context, located, range)
    if ('answer' in outcome) return handOut(context, operation, located, outcome.answer)
    const { fault } = outcome
    // A signed address may have run out between the two steps, so it is asked for once more.
    if (fault.expired && !relocated) {
      relocated = true
      located = await locate()
      continue
    }
    if (!fault.passing || !(await waitToRepeat(context, repeat, fault.asked))) throw fault.error
  }
}

/** The download that an answer makes, once it is known that this is no page in place of the file. */
async function handOut(
  { connector, signal }: CallContext,
  operation: DownloadOperation,
  located: FileLocation,
  answer: FileAnswer,
): Promise<Download> {
  const { status, body } = answer
  try {
    const headers = fileHeaders(answer, located, operation, connector.title)
    if (operation.refusedTypes?.includes('text/html') && (await beginsAsPage(body)))
      throw unusableFile('an HTML page under the type of the file')
    signal.throwIfAborted()
    return { status: status as 200 | 206, headers, body }
  } catch (error) {
    body.destroy()
    throw error
  }
}

interface Fault {
  readonly error: Error
  readonly passing: boolean
  readonly expired: boolean
  readonly asked: number
}

async function attempt(
  context: CallContext,
  located: FileLocation,
  range: string | null,
): Promise<{ readonly answer: FileAnswer } | { readonly fault: Fault }> {
  try {
    const answer = await fetchFile(context, located.url, range)
    if (answer.status === 200 || answer.status === 206) return { answer: await begun(answer, range, located) }
    answer.body.destroy()
    return { fault: refused(context, answer) }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (!(error instanceof TransportFault)) throw error
    const told =
      error.reason === 'unusable'
        ? unusableFile(error.message)
        : new ConexError(
            error.reason === 'silent' ? 'upstream_timeout' : 'upstream_error',
            `The file's host gave no file: ${error.message}; repeat the download later.`,
          )
    return { fault: { error: told, passing: error.transient, expired: false, asked: 0 } }
  }
}

/** An answer with a file, once the first byte of that is there. */
async function begun(answer: OpenedAnswer, range: string | null, located: FileLocation): Promise<FileAnswer> {
  try {
    const framing = framingOf(answer, range, located)
    const body = fileBytes(answer.body, framing)
    await firstByte(body)
    return { ...answer, framing, body }
  } catch (error) {
    answer.body.destroy()
    throw error
  }
}

/** What an answer without a file means. */
function refused({ connector, settings }: CallContext, { status, headers }: OpenedAnswer): Fault {
  const asked = retryAfter(headers['retry-after'], settings.clock.now())
  const upstream = { status, code: null, message: null }
  const retryIn = (milliseconds: number) => (milliseconds > 0 ? { retryAfter: Math.ceil(milliseconds / 1000) } : {})
  const fault = (
    code: ErrorCode,
    detail: string,
    more: object = {},
    { passing = false, expired = false } = {},
  ): Fault => ({
    error: new ConexError(code, detail, { upstream, ...more }),
    passing,
    expired,
    asked,
  })
  switch (status) {
    case 416: {
      const size = String(headers['content-range'])
      const told = /^bytes \*\/\d+$/.test(size) ? { contentRange: size } : {}
      const detail = 'The file ends before this range begins; ask for a range inside it.'
      return fault('range_not_satisfiable', detail, told)
    }
    case 404:
    case 410:
      return fault('file_unavailable', `The file that ${connector.title} points to is gone.`)
    case 400:
    case 401:
    case 403: {
      const detail = `The file's host refuses the address that ${connector.title} gave; repeat the download later.`
      return fault('upstream_error', detail, {}, { expired: true })
    }
    case 429: {
      const detail = "The file's host asks to slow down; repeat the download after the time in retry_after."
      return fault('upstream_rate_limited', detail, retryIn(asked || settings.retryCeiling), { passing: true })
    }
    default: {
      const detail = `The file's host failed with status ${status}; repeat the download later.`
      return fault('upstream_error', detail, retryIn(asked), { passing: status >= 502 && status <= 504 })
    }
  }
}

/** Follows redirects by hand, so that every hop is checked; no credentials are ever sent to where files are kept. */
async function fetchFile(
  { transport, settings, signal, connector }: CallContext,
  address: string,
  range: string | null,
): Promise<OpenedAnswer> {
  const reject = (code: ErrorCode): never => {
    throw new ConexError(
      code,
      `The file address that ${connector.title} gave leads nowhere; repeat the download later.`,
    )
  }
  let url = URL.parse(address) ?? reject('upstream_error')
  // Asked for as they are: a compressed answer has no byte ranges, and some hosts drop the range when they may compress.
  const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'conex' }
  if (range !== null) headers.range = range
  for (let hop = 0; hop <= mostRedirects; hop++) {
    url.hash = ''
    const answer = await transport.open({ method: 'GET', url, headers, signal }, settings.idleLimit)
    if (answer.status < 300 || answer.status >= 400) return answer
    answer.body.destroy()
    url = whereTo(answer.headers.location, url) ?? reject('upstream_invalid_response')
  }
  return reject('upstream_error')
}

/** Waits until the body has a byte or ends, so that an error before that is still an error answer. */
async function firstByte(body: Readable): Promise<void> {
  if (body.readableLength > 0 || body.readableEnded) return
  try {
    // Asking for nothing makes the stream start to fill its buffer.
    body.read(0)
    const waiting = new AbortController()
    const options = { signal: waiting.signal }
    await Promise.race([
      once(body, 'readable', options),
      once(body, 'end', options),
      closed(body, options.signal),
    ]).finally(() => waiting.abort())
  } catch (error) {
    if (error instanceof TransportFault) throw error
    const { code } = error as { code?: unknown }
    if (brokenPacking.test(String(code))) throw new TransportFault('unusable', false, 'its compressed body is broken')
    if (code === 'UND_ERR_BODY_TIMEOUT')
      throw new TransportFault('silent', true, 'it fell silent before the first byte')
    throw new TransportFault('broken', true, 'the connection broke before the first byte')
  }
}

/** How the ways to unpack begin their codes. */
const brokenPacking = /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/

const closed = (body: Readable, signal: AbortSignal): Promise<void> =>
  once(body, 'close', { signal }).then(() => {
    if (!body.readableEnded && body.readableLength === 0) throw new Error('closed')
  })
