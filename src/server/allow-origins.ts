/**
 * Allows the scripts of chosen web pages to call the server from a browser (CORS). Off unless the operator names
 * origins.
 */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Tokens travel in a header, never in cookies, so a page can only use a token that it was given. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'x-request-id',
    ],
    exposedHeaders: [
      'accept-ranges',
      'conex-grant-revoked',
      'content-disposition',
      'content-length',
      'content-range',
      'location',
      'mcp-session-id',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
    maxAge: 600,
    strictPreflight: false,
  })
}
