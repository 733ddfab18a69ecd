/** A call that a fault affects: what the effect can do with its answer and its connection. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rawHeader, send } from './send.ts'
import type { Call, Reply } from './system.ts'

export interface FaultedCall {
  readonly call: Call
  readonly response: ServerResponse
  readonly socket: Socket
  /** The system's answer, without these request headers. The system sees the call only now. */
  answer(without?: readonly string[]): Reply
  /** The system's own refusal with this status; the system does not see the call. */
  refusal(status: number): Reply
  /** Fills in the origins and the path of the call. */
  address(template: string): string
  /** Sends a reply with the effect's headers. */
  send(reply: Reply, encoding?: 'latin1'): void
  /** Sends only the head; without a length the body goes out in chunks. */
  head(reply: Reply, length: number | undefined): void
  /** Repeats until the answer has ended. */
  every(ms: number, action: () => void): void
}

export interface FaultedCallParts {
  readonly call: Call
  readonly response: ServerResponse
  /** Added to the answer; see `Effect`. */
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly target: string
  readonly origins: { readonly api: string; readonly files: string }
  wall(): number
  handle(call: Call): Reply
  refusal(status: number): Reply
  /** Records the status that is sent. */
  answered(status: number): void
}

export function createFaultedCall(parts: FaultedCallParts): FaultedCall {
  const { call, response } = parts
  const added = (headers: Readonly<Record<string, string>>) => {
    const all: Record<string, string> = { ...headers }
    for (const [name, value] of Object.entries(parts.headers ?? {})) {
      all[name.toLowerCase()] = rawHeader(fill(value, parts.wall()))
    }
    return all
  }
  return {
    call,
    response,
    socket: response.socket as Socket,
    answer(without = []) {
      if (without.length === 0) return parts.handle(call)
      const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => !without.includes(name)))
      return parts.handle({ ...call, headers })
    },
    refusal: parts.refusal,
    address: (template) =>
      template
        .replaceAll('{api}', parts.origins.api)
        .replaceAll('{files}', parts.origins.files)
        .replaceAll('{path}', parts.target),
    send(reply, encoding) {
      parts.answered(reply.status)
      const headers = added(reply.headers)
      if (encoding === undefined || typeof reply.body !== 'string') return send({ ...reply, headers }, response)
      response.writeHead(reply.status, { ...headers, 'content-length': String(reply.body.length) })
      response.end(reply.body, encoding)
    },
    head(reply, length) {
      parts.answered(reply.status)
      const headers = added(reply.headers)
      response.writeHead(
        reply.status,
        length === undefined ? headers : { ...headers, 'content-length': String(length) },
      )
      response.flushHeaders()
    },
    every(ms, action) {
      const timer = setInterval(() => {
        if (!response.writableEnded) action()
      }, ms)
      response.once('close', () => clearInterval(timer))
    },
  }
}

/** Replaces `{date+N}` with an HTTP date; N may be negative. */
function fill(value: string, now: number): string {
  return value.replace(/\{date([+-]\d+)\}/g, (_, seconds) => new Date(now + Number(seconds) * 1000).toUTCString())
}
