/** Answers what kinds of connectors there are. */
import * as types from '../service/connector-types.ts'
import type { Handler } from './handler.ts'

export const connectorTypes: Handler = async ({ service }) => ({ connector_types: types.connectorTypes(service) })

export const connectorType: Handler = async ({ service }, request) =>
  types.connectorType(service, (request.params as { readonly connector_type: string }).connector_type)
