/** Handlers for what programs of agents read before they ask for a token. */
import { ConexError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { resourceMetadataSchema } from './protected-resource.ts'

export const resourceMetadata: Endpoint = {
  summary: 'Tell programs of agents where to get a token for /mcp',
  takesAnyQuery: true,
  answers: { 200: { description: 'The metadata of a protected resource (RFC 9728).', schema: resourceMetadataSchema } },
  errors: ['not_found'],
  async handle({ resource }) {
    const metadata = resource.metadata()
    if (metadata !== null) return metadata
    throw new ConexError(
      'not_found',
      'No authorization server gives out tokens for /mcp; ask the operator of this service for one.',
    )
  },
}
