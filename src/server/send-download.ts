/** Answers with the bytes of a file as they arrive. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../engine/call/call.ts'
import type { ServerContext } from './handler.ts'
import { errorFields } from './logger.ts'
import { sendFile } from './send-file.ts'

/** The signal is aborted once the caller is gone. */
export function sendDownload(
  { service, downloadIdleMs, stopping }: ServerContext,
  { status, headers, body }: Download,
  signal: AbortSignal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (signal.aborted) {
    body.destroy()
    throw signal.reason
  }
  body.once('error', (error) => {
    if (!signal.aborted) service.log.warn({ request_id: request.id, ...errorFields(error) }, 'a file broke off')
  })
  // Without a type, the framework would add one that may be wrong.
  reply.code(status).headers({ 'content-type': 'application/octet-stream', ...headers })
  if (stopping()) reply.header('connection', 'close')
  reply.hijack()
  reply.raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders)
  sendFile(body, reply.raw, downloadIdleMs)
  return reply
}
