/** Handlers for the server's documents. An ETag saves callers from downloading a document that they already have. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { text } from '../catalog/fields.ts'
import { pagePolicy } from './docs-page.ts'
import type { Document } from './document.ts'
import type { Endpoint } from './endpoint.ts'

const caching = { ETag: text('Send it as If-None-Match to get a 304 if nothing has changed.') }
const unchanged = { description: 'Nothing has changed.', headers: caching }

export const openApiDocument: Endpoint = {
  summary: 'Describe this interface in OpenAPI 3.1',
  takesAnyQuery: true,
  answers: { 200: { description: 'This document.', mediaType: 'application/json', headers: caching }, 304: unchanged },
  handle: async ({ documents }, request, reply) => give(await documents.openApi(), 'application/json', request, reply),
}

export const readablePage: Endpoint = {
  summary: 'Describe this interface on a page for people',
  takesAnyQuery: true,
  answers: { 200: { description: 'The page.', mediaType: 'text/html', headers: caching }, 304: unchanged },
  handle: async ({ documents }, request, reply) => {
    reply.header('content-security-policy', pagePolicy)
    return give(await documents.page(), 'text/html', request, reply)
  },
}

function give(document: Document, type: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: document.etag, 'cache-control': 'no-cache' })
  if (knows(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
  return reply.type(`${type}; charset=utf-8`).send(document.body)
}

/** Whether an If-None-Match contains the tag, which a cache on the way may have made weak. */
const knows = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
