/** Sends a reply: text at once, files chunk by chunk and no faster than the caller reads. */
import type { ServerResponse } from 'node:http'
import type { Bytes, Reply } from './system.ts'

/** The size of a chunk of a file. */
const pieceSize = 256 * 1024

export function send(reply: Reply, response: ServerResponse): void {
  const body = reply.body
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(reply.status, { ...reply.headers, 'content-length': String(length) })
  if (typeof body === 'string') response.end(body)
  else sendBytes(body, response)
}

/** Sends bytes as they are produced. Waits for a slow reader, and stops when the reader is gone. */
export function sendBytes(bytes: Bytes, response: ServerResponse): void {
  let at = 0
  const more = () => {
    while (at < bytes.length) {
      if (response.destroyed) return
      const piece = bytes.read(at, pieceSize)
      at += piece.length
      if (!response.write(piece)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  more()
}

/** The whole body in memory, for faults that cut, compress or drip it. */
export function bodyBuffer(body: Reply['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const piece = body.read(at, pieceSize)
    pieces.push(piece)
    at += piece.length
  }
  return Buffer.concat(pieces)
}

/** Node writes headers as Latin-1. This encodes a text so that its raw UTF-8 bytes arrive. */
export function rawHeader(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(value),
  }
}
