/** Receives request bodies, bounded in size and time per route, and in their total size. */
import type { FastifyRequest } from 'fastify'
import { ConexError } from '../errors.ts'

/** Bodies up to this size are not counted: every connection needs as much anyway. */
const uncounted = 4 * 1024

/** The total for all larger bodies, in bytes, from arrival until the request is answered. */
const mostHeld = 64 * 1024 * 1024

/** The part that one caller may use. */
const mostOfCaller = mostHeld / 4

/** Milliseconds for a small body; even a slow line is faster. Large bodies have the time limit of every request. */
const longestWait = 10_000
const small = 16 * 1024

export class Bodies {
  #held = 0
  readonly #byCaller = new Map<string, number>()
  readonly #byRequest = new WeakMap<FastifyRequest, { readonly caller: string; bytes: number }>()

  /** Reads the whole body, up to the limit of its route. */
  receive(request: FastifyRequest, payload: NodeJS.ReadableStream): Promise<Buffer> {
    const limit = request.routeOptions.bodyLimit
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void => {
        clearTimeout(late)
        payload.removeListener('data', receive)
      }
      const fail = (error: unknown): void => {
        end()
        reject(error)
      }
      const receive = (chunk: Buffer): void => {
        size += chunk.length
        if (size > limit) fail(tooLarge(limit))
        else if (size > uncounted && !this.#hold(request, size - uncounted)) fail(tooMany())
        else chunks.push(chunk)
      }
      const late = limit > small ? undefined : setTimeout(() => fail(tooSlow()), longestWait)
      if (Number(request.headers['content-length']) > limit) {
        fail(tooLarge(limit))
        return
      }
      payload.on('data', receive)
      payload.on('error', () => fail(broken()))
      payload.on('end', () => {
        end()
        resolve(Buffer.concat(chunks, size))
      })
    })
  }

  /** Call this when the request has been answered. */
  release(request: FastifyRequest): void {
    const held = this.#byRequest.get(request)
    if (held === undefined) return
    this.#count(held.caller, -held.bytes)
    this.#byRequest.delete(request)
  }

  #hold(request: FastifyRequest, bytes: number): boolean {
    const held = this.#byRequest.get(request) ?? { caller: callerOf(request), bytes: 0 }
    const more = bytes - held.bytes
    const ofCaller = this.#byCaller.get(held.caller) ?? 0
    if (this.#held + more > mostHeld || ofCaller + more > mostOfCaller) return false
    this.#byRequest.set(request, held)
    held.bytes = bytes
    this.#count(held.caller, more)
    return true
  }

  #count(caller: string, bytes: number): void {
    this.#held += bytes
    const left = (this.#byCaller.get(caller) ?? 0) + bytes
    if (left > 0) this.#byCaller.set(caller, left)
    else this.#byCaller.delete(caller)
  }
}

const callerOf = ({ caller, ip }: FastifyRequest): string =>
  caller === null ? ip : JSON.stringify([caller.clientId, caller.externalUserId])

const tooLarge = (limit: number): ConexError =>
  new ConexError(
    'payload_too_large',
    `The body is larger than the ${sizeOf(limit)} that this address takes; send less.`,
  )

const sizeOf = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`)

const tooMany = (): ConexError =>
  new ConexError(
    'rate_limited',
    'Too many large bodies are being read at once; repeat the request after retry_after.',
    {
      retryAfter: 1,
    },
  )

const broken = (): ConexError => new ConexError('invalid_request', 'The body did not arrive completely; send it again.')

const tooSlow = (): ConexError =>
  new ConexError('invalid_request', 'The body did not arrive completely in time; send it again, faster.')
