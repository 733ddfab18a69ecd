/** Handler for links to files. */
import Type from 'typebox'
import { optional, text } from '../catalog/fields.ts'
import { execute } from '../service/execute.ts'
import { callerGone } from './caller-gone.ts'
import { type Endpoint, failuresOfCalls } from './endpoint.ts'
import { sendDownload } from './send-download.ts'

export const linkedFile: Endpoint = {
  summary: 'Download the file of a link that expires',
  query: Type.Object({ token: optional(text('From the link.')) }, { additionalProperties: false }),
  refusalTitle: 'This link does not work',
  answers: { 200: { description: 'The bytes of the file.', mediaType: '*/*' } },
  errors: ['not_found', 'record_not_found', 'file_unavailable', 'connector_unavailable', ...failuresOfCalls],
  async handle(context, request, reply) {
    const { tenant, connectorId, entity, params } = await context.fileLinks.verify(
      (request.query as { readonly token?: string }).token ?? '',
    )
    const signal = callerGone(reply)
    const executed = await execute(context.service, tenant, connectorId, { entity, action: 'download', params }, signal)
    if (executed.kind !== 'download') throw new Error('A download gave no file.')
    const { headers } = executed.download
    const disposition = headers['content-disposition'] ?? 'attachment'
    // A page of another system must not run as one of this server.
    const kept = { ...headers, 'content-disposition': disposition.replace(/^\s*inline/i, 'attachment') }
    return sendDownload(context, { ...executed.download, headers: kept }, signal, request, reply)
  },
}
