/** Handlers for connector types. */
import Type from 'typebox'
import { connectorTypeSchema } from '../catalog/describe.ts'
import { arrayOf } from '../catalog/fields.ts'
import * as types from '../service/connector-types.ts'
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
