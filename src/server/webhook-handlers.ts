/** Handlers for webhooks and their deliveries. */
import type { FastifyRequest } from 'fastify'
import {
  createWebhook as create,
  deliveryQuery,
  getWebhook as get,
  listWebhooks as list,
  listDeliveries,
  deleteWebhook as remove,
  replayDeliveries,
  replayRequest,
  rotateSecret,
  secretRotation,
  updateWebhook as update,
  webhookCreation,
  webhookPatch,
} from '../service/webhooks.ts'
import {
  createdWebhookSchema,
  deliveryListSchema,
  replayedSchema,
  rotatedSecretSchema,
  webhookListSchema,
  webhookSchema,
} from '../wire.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf } from './handler.ts'

const largestBody = 16 * 1024

const webhookIdOf = (request: FastifyRequest): string => (request.params as { readonly webhook_id: string }).webhook_id

export const createWebhook: Endpoint = {
  summary: 'Create a webhook',
  body: webhookCreation,
  largestBody,
  answers: {
    201: { description: 'The webhook, with its secret, which is shown only now.', schema: createdWebhookSchema },
  },
  async handle({ service }, request, reply) {
    const created = await create(service, callerOf(request), request.body)
    reply.code(201)
    return created
  },
}

export const listWebhooks: Endpoint = {
  summary: 'List webhooks',
  answers: { 200: { description: 'All of them, by age.', schema: webhookListSchema } },
  handle: ({ service }, request) => list(service, callerOf(request)),
}

export const getWebhook: Endpoint = {
  summary: 'Read a webhook',
  answers: { 200: { description: 'The webhook.', schema: webhookSchema } },
  handle: ({ service }, request) => get(service, callerOf(request), webhookIdOf(request)),
}

export const updateWebhook: Endpoint = {
  summary: 'Change a webhook',
  body: webhookPatch,
  largestBody,
  answers: { 200: { description: 'The webhook after the change.', schema: webhookSchema } },
  handle: ({ service }, request) => update(service, callerOf(request), webhookIdOf(request), request.body),
}

export const deleteWebhook: Endpoint = {
  summary: 'Delete a webhook',
  answers: { 204: { description: 'The webhook and its deliveries are gone.' } },
  async handle({ service }, request, reply) {
    await remove(service, callerOf(request), webhookIdOf(request))
    return reply.code(204).send()
  },
}

export const rotateWebhookSecret: Endpoint = {
  summary: 'Give a webhook a new secret',
  body: secretRotation,
  bodyMayBeLeftOut: true,
  answers: { 200: { description: 'The new secret, which is shown only now.', schema: rotatedSecretSchema } },
  errors: ['conflict'],
  handle: ({ service }, request) => rotateSecret(service, callerOf(request), webhookIdOf(request), request.body),
}

export const listWebhookDeliveries: Endpoint = {
  summary: 'List the deliveries of a webhook',
  query: deliveryQuery,
  answers: { 200: { description: 'Deliveries, newest events first.', schema: deliveryListSchema } },
  errors: ['invalid_cursor'],
  handle: ({ service }, request) => listDeliveries(service, callerOf(request), webhookIdOf(request), request.query),
}

export const replayWebhook: Endpoint = {
  summary: 'Send parked events again',
  body: replayRequest,
  bodyMayBeLeftOut: true,
  answers: { 202: { description: 'How many deliveries wait again.', schema: replayedSchema } },
  async handle({ service }, request, reply) {
    const replayed = await replayDeliveries(service, callerOf(request), webhookIdOf(request), request.body)
    reply.code(202)
    return replayed
  },
}
