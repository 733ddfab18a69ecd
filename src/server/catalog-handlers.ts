/** Handlers for connector types. */
import Type from 'typebox'
import { connectorTypeSchema } from '../catalog/describe.ts'
import { arrayOf } from '../catalog/fields.ts'
import * as types from '../service/connector-types.ts'
import { docsQuery, readDocs } from '../service/read-docs.ts'
import { skillDocsSchema } from '../wire.ts'
import type { Endpoint } from './endpoint.ts'

export const connectorTypes: Endpoint = {
  summary: 'List the connector types',
  answers: {
    200: {
      description: 'Every connector type, with its credentials, entities, actions and params.',
      schema: Type.Object({ connector_types: arrayOf(connectorTypeSchema) }),
    },
  },
  handle: async ({ service }) => ({ connector_types: types.connectorTypes(service) }),
}

export const connectorType: Endpoint = {
  summary: 'Describe a connector type',
  answers: { 200: { description: 'The kind.', schema: connectorTypeSchema } },
  handle: async ({ service }, request) =>
    types.connectorType(service, (request.params as { readonly connector_type: string }).connector_type),
}

export const skillDocs: Endpoint = {
  summary: 'Read documents for a language model on a connector type, one of its entities, or an action',
  query: docsQuery,
  answers: { 200: { description: 'The text, and the sections that say more.', schema: skillDocsSchema } },
  errors: ['not_found', 'unknown_entity', 'unknown_action'],
  handle: async ({ service }, request) => readDocs(service, request.query),
}
