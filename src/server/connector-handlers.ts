/** Answers for connectors: create, list, get, change, delete, check. */
import { checkConnector as check } from '../service/check-connector.ts'
import { createConnector as create } from '../service/create-connector.ts'
import { deleteConnector as remove, deleteEndUser as removeEndUser } from '../service/delete-connector.ts'
import { getConnector as get } from '../service/get-connector.ts'
import * as lists from '../service/list-connectors.ts'
import { updateConnector as update } from '../service/update-connector.ts'
import { callerGone } from './caller-gone.ts'
import { callerOf, connectorIdOf, type Handler } from './handler.ts'

export const createConnector: Handler = async ({ service }, request, reply) => {
  const key = request.headers['idempotency-key']
  const record = await create(service, callerOf(request), request.body, Array.isArray(key) ? key.join() : key)
  reply.code(201).header('location', `/v1/integrations/connectors/${record.id}`)
  return record
}

export const listConnectors: Handler = ({ service }, request) =>
  lists.listConnectors(service, callerOf(request), request.query)

export const connectorsForUser: Handler = ({ service }, request) =>
  lists.connectorsForUser(service, callerOf(request), request.query)

export const getConnector: Handler = ({ service }, request) => get(service, callerOf(request), connectorIdOf(request))

export const updateConnector: Handler = ({ service }, request) =>
  update(service, callerOf(request), connectorIdOf(request), request.body)

/** The header tells whether the system took the grant back; the connector is gone in any case. */
export const deleteConnector: Handler = async ({ service }, request, reply) => {
  const grant = await remove(service, callerOf(request), connectorIdOf(request))
  reply.header('conex-grant-revoked', { revoked: 'true', failed: 'false', unsupported: 'unsupported' }[grant])
  return reply.code(204).send()
}

export const deleteEndUser: Handler = ({ service }, request) =>
  removeEndUser(service, callerOf(request), (request.params as { readonly external_user_id: string }).external_user_id)

export const checkConnector: Handler = ({ service }, request, reply) =>
  check(service, callerOf(request), connectorIdOf(request), callerGone(reply))
