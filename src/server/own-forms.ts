/** Keeps pages of other sites from sending the forms of this server's pages. */
import type { FastifyRequest } from 'fastify'
import { ConexError } from '../errors.ts'

/** Refuses a form that was sent by a page of another site, as browsers tell. */
export function checkOwnForm({ headers }: FastifyRequest): void {
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])))
    throw new ConexError('forbidden', 'This was sent by a page of another site; nothing was granted.')
}
