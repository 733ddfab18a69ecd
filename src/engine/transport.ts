/** Sends one HTTP request to a third-party system, within the egress rules and the caller's deadline. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Agent, Dispatcher } from 'undici'
import { ConexError } from '../errors.ts'
import { takeTurns } from '../turns.ts'
import { checkAddress, ForbiddenAddress, guardedConnector } from './egress.ts'
import { parseInTurns, TooDeep } from './parse-in-turns.ts'
import type { EngineSettings } from './settings.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** The longest silence within the body, in milliseconds; without one the signal alone ends it. */
  readonly idleLimit?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** A request that got no answer, or no whole one; `transient` when a new connection may do better. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault'
  readonly transient: boolean
  readonly reason: 'unreachable' | 'broken' | 'unusable' | 'silent'
  constructor(reason: TransportFault['reason'], transient: boolean, message: string) {
    super(message)
    this.reason = reason
    this.transient = transient
  }
}

export interface Transport {
  /** Sends a request and gives the answer as soon as its headers are there. Throws TransportFault, or the signal's reason. */
  send(request: HttpRequest): Promise<HttpAnswer>
  close(): Promise<void>
}

export function createTransport(settings: EngineSettings): Transport {
  let opened: Promise<Agent> | undefined
  return {
    async send({ method, url, headers, body, signal, idleLimit = 0 }) {
      checkAddress(url, settings.allowPrivateNetwork)
      const options: Dispatcher.RequestOptions = {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        signal,
        body: body ?? null,
        bodyTimeout: idleLimit,
      }
      opened ??= openAgent(settings)
      const agent = await opened
      try {
        const { statusCode, headers, body } = await agent.request(options)
        // A stream that nobody listens to any more must not bring the process down.
        body.on('error', ignore)
        return { status: statusCode, headers, body }
      } catch (error) {
        throw signal.aborted ? signal.reason : faultOf(error)
      }
    },
    close: async () => (await opened)?.destroy(),
  }
}

/**
 * Loads the HTTP client on the first request: it takes longer to load than all of the engine. By its file, since Bun has a
 * stand-in of its own under the bare name, which leaves out the connect step that guards where requests may go.
 */
async function openAgent(settings: EngineSettings): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici/index.js')
  return new Agent({
    connect: guardedConnector(
      settings.network?.open ?? buildConnector,
      settings.allowPrivateNetwork,
      settings.network?.resolve,
    ),
    connections: settings.connections,
    // The deadline of the operation governs headers and JSON bodies; an idle limit governs running downloads.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 64 * 1024,
  })
}

const ignore = (): void => {}

/** Reads a whole answer as JSON. Throws TransportFault when it is cut, not JSON, or larger or deeper than allowed. */
export async function readJson(answer: HttpAnswer, largest: number, signal: AbortSignal): Promise<unknown> {
  const text = await readText(answer, largest, signal)
  try {
    return await parseInTurns(text)
  } catch (error) {
    if (error instanceof TooDeep) throw new TransportFault('unusable', false, 'its JSON nests too deeply')
    const type = String(answer.headers['content-type'] ?? 'no content type')
    const looksCut = /json/i.test(type) && /^\s*[[{]/.test(text)
    throw new TransportFault(
      'unusable',
      looksCut,
      looksCut ? 'its JSON stops in the middle' : `it is not JSON (${mediaType(type)})`,
    )
  }
}

const decoders: Record<string, (input: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads a whole answer as text, decoded where it is compressed. */
async function readText(answer: HttpAnswer, largest: number, signal: AbortSignal): Promise<string> {
  let bytes: Uint8Array
  try {
    bytes = await collect(answer.body, largest)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof TransportFault
      ? error
      : new TransportFault('unusable', true, 'the connection broke in the middle of it')
  }
  const encoding = String(answer.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding !== 'identity' && encoding !== '') {
    const decode = decoders[encoding]
    if (decode === undefined)
      throw new TransportFault('unusable', false, 'it is encoded in a way that was not asked for')
    try {
      bytes = await decode(bytes, { maxOutputLength: largest })
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest)
      throw new TransportFault('unusable', true, 'its compressed body is broken')
    }
  }
  return decodeText(bytes)
}

/** How many bytes are decoded before other work may have its turn. */
const decodedAtOnce = 256 * 1024

async function decodeText(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  const turn = takeTurns()
  let text = ''
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    text += decoder.decode(bytes.subarray(at, at + decodedAtOnce), { stream: true })
    const others = turn()
    if (others !== undefined) await others
  }
  return text + decoder.decode()
}

function collect(body: Readable, largest: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > largest) {
        reject(tooLarge(largest))
        body.destroy()
        return
      }
      chunks.push(chunk)
    })
    body.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    body.once('error', reject)
    body.once('close', () => {
      if (!body.readableEnded) reject(new TransportFault('unusable', true, 'the connection closed in the middle of it'))
    })
  })
}

const tooLarge = (largest: number): TransportFault =>
  new TransportFault('unusable', false, `it is larger than the ${Math.round(largest / 1024 / 1024)} MiB that are read`)

/** What a failed connection means, told without anything that the HTTP client attached to its error. */
function faultOf(error: unknown): Error {
  const code = codeOf(error)
  if (error instanceof ForbiddenAddress || (error as { cause?: unknown }).cause instanceof ForbiddenAddress)
    return new ConexError(
      'upstream_error',
      'The address of the third-party system is not public, and the operator does not allow private ones; nothing was sent.',
    )
  if (resets.has(code)) return new TransportFault('broken', true, 'the connection was closed')
  if (code === 'EAI_AGAIN' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new TransportFault('unreachable', true, `it could not be reached (${code})`)
  if (code.startsWith('HPE_')) return new TransportFault('unusable', false, 'it does not speak HTTP')
  return new TransportFault('unreachable', false, `it could not be reached (${code || 'no reason given'})`)
}

const resets = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ECONNABORTED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_REQ_RETRY',
])

const codeOf = (error: unknown): string => {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : ''
}

/** The media type alone: parameters may hold anything, even an echo of the request. */
const mediaType = (type: string): string =>
  /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(type)?.[0] ?? 'no known type'
