/** Handlers for connectors: create, list, get, update, delete, check. */
import Type from 'typebox'
import { decode, decodeQuery } from '../catalog/decode.ts'
import { oneOf, optional, text } from '../catalog/fields.ts'
import type { ErrorCode } from '../errors.ts'
import { kindNames, nameText } from '../service/aliases.ts'
import { checkConnector as check } from '../service/check-connector.ts'
import {
  createConnector as create,
  creation,
  creationQuery,
  idempotencyKeyPattern,
} from '../service/create-connector.ts'
import { deleteConnector as remove, deleteEndUser as removeEndUser } from '../service/delete-connector.ts'
import { getConnector as get } from '../service/get-connector.ts'
import { inspectConnector as inspect } from '../service/inspect-connector.ts'
import * as lists from '../service/list-connectors.ts'
import { listWorkspaces as listEndUsers, workspaceQuery } from '../service/list-workspaces.ts'
import { connectorPatch, updateConnector as update } from '../service/update-connector.ts'
import {
  connectorListSchema,
  connectorSchema,
  createdConnectorSchema,
  deletedEndUserSchema,
  healthSchema,
  inspectionSchema,
  workspaceListSchema,
} from '../wire.ts'
import { callerGone } from './caller-gone.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, connectorIdOf } from './handler.ts'

const record = { description: 'The connector, without its credentials.', schema: connectorSchema }
const page = { description: 'Connectors, by age.', schema: connectorListSchema }

/** Failures that leave it open whether the credentials are valid. */
const failuresOfCheck: readonly ErrorCode[] = [
  'upstream_refused',
  'upstream_rate_limited',
  'upstream_error',
  'upstream_invalid_response',
  'upstream_timeout',
]

export const createConnector: Endpoint = {
  summary: 'Create a connector for an end user',
  headers: Type.Object({
    'Idempotency-Key': optional(
      text('A repeated request with the same key gets the first answer.', {
        pattern: idempotencyKeyPattern,
      }),
    ),
  }),
  query: creationQuery,
  body: creation,
  largestBody: 128 * 1024,
  oneOfEach: [kindNames, ['credentials', 'server_side_oauth_secret_id']],
  takesCredentials: true,
  answers: {
    201: { ...record, schema: createdConnectorSchema, headers: { Location: text('The address of the connector.') } },
  },
  errors: ['forbidden', 'not_found', 'conflict', 'invalid_credentials', ...failuresOfCheck],
  async handle({ service }, request, reply) {
    const key = request.headers['idempotency-key']
    const created = await create(service, callerOf(request), request.body, {
      idempotencyKey: Array.isArray(key) ? key.join() : key,
      check: decodeQuery(creationQuery, request.query).check,
      signal: callerGone(reply),
    })
    reply.code(201).header('location', `/v1/integrations/connectors/${created.id}`)
    return created
  },
}

export const listConnectors: Endpoint = {
  summary: 'List connectors',
  query: lists.connectorQuery,
  answers: { 200: page },
  errors: ['invalid_cursor'],
  handle: ({ service }, request) => lists.listConnectors(service, callerOf(request), request.query),
}

export const connectorsForUser: Endpoint = {
  summary: 'List the connectors of one end user',
  query: lists.connectorQuery,
  answers: { 200: page },
  errors: ['invalid_cursor'],
  handle: ({ service }, request) => lists.connectorsForUser(service, callerOf(request), request.query),
}

export const getConnector: Endpoint = {
  summary: 'Get a connector',
  answers: { 200: record },
  handle: ({ service }, request) => get(service, callerOf(request), connectorIdOf(request)),
}

export const inspectConnector: Endpoint = {
  summary: 'Tell whether a connector is ready to use',
  answers: { 200: { description: 'The connector, and what keeps it from being ready.', schema: inspectionSchema } },
  handle: ({ service }, request) => inspect(service, callerOf(request), connectorIdOf(request)),
}

export const listWorkspaces: Endpoint = {
  summary: 'List end users, here called workspaces',
  query: workspaceQuery,
  answers: { 200: { description: 'The end users who have a connector.', schema: workspaceListSchema } },
  handle: ({ service }, request) => listEndUsers(service, callerOf(request), request.query),
}

export const updateConnector: Endpoint = {
  summary: 'Update the name, the credentials or the sync of a connector',
  body: connectorPatch,
  largestBody: 128 * 1024,
  takesCredentials: true,
  answers: { 200: record },
  errors: ['conflict', 'invalid_credentials', 'connector_unavailable'],
  handle: ({ service }, request) => update(service, callerOf(request), connectorIdOf(request), request.body),
}

/** The header reports whether the system revoked the grant; the connector is deleted in any case. */
export const deleteConnector: Endpoint = {
  summary: 'Delete a connector, its credentials and its copy',
  answers: {
    204: {
      description: 'The connector is deleted.',
      headers: {
        'Conex-Grant-Revoked': oneOf(['true', 'false', 'unsupported'], 'Whether the system revoked the grant.'),
      },
    },
  },
  async handle({ service }, request, reply) {
    const grant = await remove(service, callerOf(request), connectorIdOf(request))
    reply.header('conex-grant-revoked', { revoked: 'true', failed: 'false', unsupported: 'unsupported' }[grant])
    return reply.code(204).send()
  },
}

const endUserPath = Type.Object({ external_user_id: nameText('Your own id for the end user.') })

export const deleteEndUser: Endpoint = {
  summary: 'Delete everything that is stored for an end user',
  answers: { 200: { description: 'The deleted connectors.', schema: deletedEndUserSchema } },
  handle: ({ service }, request) =>
    removeEndUser(service, callerOf(request), decode(endUserPath, request.params).external_user_id),
}

export const checkConnector: Endpoint = {
  summary: 'Check a connector with one cheap live call',
  answers: { 200: { description: 'Whether the credentials work.', schema: healthSchema } },
  errors: ['connector_unavailable'],
  handle: ({ service }, request, reply) => check(service, callerOf(request), connectorIdOf(request), callerGone(reply)),
}
