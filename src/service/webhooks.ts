/** Webhooks of an organization: made, read, changed, rotated, deleted, and what became of their deliveries. */
import Type, { type Static } from 'typebox'
import { decode, decodeQuery, invalidRequest } from '../catalog/decode.ts'
import { integer, nullable, oneOf, optional, text } from '../catalog/fields.ts'
import { checkAddress } from '../engine/http/egress.ts'
import { ConexError } from '../errors.ts'
import { eventTypeNames } from '../event-types.ts'
import { cursorOf, eventRecord, placeOf } from '../events/event-record.ts'
import { newWebhookSecret, type WebhookSecrets } from '../events/signature.ts'
import type { Tenant } from '../store/tenant.ts'
import type { Delivery, Webhook, WebhookChanges } from '../store/webhooks.ts'
import type { CreatedWebhook, DeliveryList, DeliveryRecord, WebhookRecord } from '../wire.ts'
import { isId, newId } from './new-id.ts'
import type { Sealer } from './sealing.ts'
import { type Service, timestamp } from './service.ts'

const address = Type.String({
  description: 'Where events are sent: https, and public.',
  minLength: 1,
  maxLength: 2048,
  'x-form': 'an address of 1 to 2048 characters',
})
const typesField = nullable(
  Type.Array(oneOf(eventTypeNames), {
    description: 'Only events of these types; null for all.',
    minItems: 1,
    maxItems: 100,
  }),
)
const description = text('For people.', { maxLength: 255 })

export const webhookCreation = Type.Object(
  { url: address, description: optional(description), types: optional(typesField) },
  { additionalProperties: false },
)

export const webhookPatch = Type.Object(
  {
    url: optional(address),
    description: optional(description),
    types: optional(typesField),
    status: optional(oneOf(['active', 'disabled'], 'A webhook that becomes active again sends at once what waits.')),
  },
  { additionalProperties: false, minProperties: 1, 'x-form': 'an object with a change' },
)

export const secretRotation = Type.Object(
  {
    overlap_seconds: optional(
      integer('How long the old secret signs beside the new one; a day by default.', { minimum: 0, maximum: 604_800 }),
    ),
  },
  { additionalProperties: false },
)

export const replayRequest = Type.Object(
  {
    event_id: optional(
      text('Only this event, even if it was delivered; by default all that are parked.', { maxLength: 64 }),
    ),
  },
  { additionalProperties: false },
)

export const deliveryQuery = Type.Object(
  {
    status: optional(oneOf(['waiting', 'delivered', 'parked'], 'Only these deliveries.')),
    limit: optional(integer('Deliveries per page; 100 by default.', { minimum: 1, maximum: 1000 })),
    cursor: optional(Type.String({ description: 'The next_cursor of the previous page.', maxLength: 64 })),
  },
  { additionalProperties: false },
)

const dayMs = 86_400_000

export async function createWebhook(service: Service, tenant: Tenant, body: unknown): Promise<CreatedWebhook> {
  const asked = decode(webhookCreation, body)
  const now = timestamp(service)
  const webhook: Webhook = {
    id: newId(service.now()),
    url: readAddress(service, asked.url),
    description: asked.description ?? '',
    types: asked.types ?? null,
    createdAt: now,
    updatedAt: now,
    failingSince: null,
    disabledAt: null,
  }
  const secret = newWebhookSecret()
  const sealed = sealSecrets(service, tenant, webhook.id, { secret })
  if (!(await service.store.webhooks.create(tenant, webhook, sealed)))
    throw invalidRequest([
      { path: '', message: 'is for one more webhook than an organization can have; delete one first' },
    ])
  return { ...webhookRecord(webhook), secret }
}

export async function listWebhooks({ store }: Service, tenant: Tenant): Promise<{ webhooks: WebhookRecord[] }> {
  return { webhooks: (await store.webhooks.list(tenant)).map(webhookRecord) }
}

export const getWebhook = async (service: Service, tenant: Tenant, id: string): Promise<WebhookRecord> =>
  webhookRecord(await webhookOf(service, tenant, id))

export async function updateWebhook(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
): Promise<WebhookRecord> {
  const { url, status, ...asked }: Static<typeof webhookPatch> = decode(webhookPatch, body)
  const changes: WebhookChanges = {
    ...asked,
    ...(url !== undefined && { url: readAddress(service, url) }),
    ...(status !== undefined && { active: status === 'active' }),
  }
  const changed = isId(id)
    ? await service.store.webhooks.update(tenant, id.toLowerCase(), changes, timestamp(service))
    : null
  if (changed === null) throw noSuchWebhook()
  return webhookRecord(changed)
}

/** Makes a new secret, which is shown only now. The old one signs beside it for a while. */
export async function rotateSecret(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
): Promise<{ readonly secret: string }> {
  const { overlap_seconds } = decode(secretRotation, body === undefined ? {} : body)
  const { id: webhookId, sealed } = await webhookOf(service, tenant, id)
  const before = openSecrets(service, { organizationId: tenant.organizationId, id: webhookId, sealed })
  const until = service.now() + (overlap_seconds === undefined ? dayMs : overlap_seconds * 1000)
  const secret = newWebhookSecret()
  const next = sealSecrets(service, tenant, webhookId, { secret, before: { secret: before.secret, until } })
  if (await service.store.webhooks.replaceSecrets(tenant, webhookId, sealed, next, timestamp(service)))
    return { secret }
  throw new ConexError('conflict', 'Another request is rotating this secret; repeat yours if you need one more.')
}

export async function deleteWebhook(service: Service, tenant: Tenant, id: string): Promise<void> {
  const gone = isId(id) && (await service.store.webhooks.delete(tenant, id.toLowerCase(), timestamp(service)))
  if (!gone) throw noSuchWebhook()
}

export async function listDeliveries(
  service: Service,
  tenant: Tenant,
  id: string,
  query: unknown,
): Promise<DeliveryList> {
  const { status, limit = 100, cursor } = decodeQuery(deliveryQuery, query)
  const before = cursor === undefined ? null : placeOf(cursor)
  if (cursor !== undefined && before === null)
    throw new ConexError('invalid_cursor', 'The cursor is not one of deliveries; start without one.', {
      issues: [{ path: '/cursor', message: 'is not a next_cursor of deliveries' }],
    })
  const { id: webhookId } = await webhookOf(service, tenant, id)
  const page = await service.store.webhooks.deliveries(tenant, webhookId, status, limit, before)
  return {
    deliveries: page.deliveries.map(deliveryRecord),
    next_cursor: page.next === null ? null : cursorOf(page.next),
  }
}

/** Sends again what was parked, or one event. */
export async function replayDeliveries(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
): Promise<{ readonly replayed: number }> {
  const { event_id = null } = decode(replayRequest, body === undefined ? {} : body)
  const { id: webhookId } = await webhookOf(service, tenant, id)
  return { replayed: await service.store.webhooks.replay(tenant, webhookId, event_id, timestamp(service)) }
}

/** Opens the secrets of a webhook. */
export const openSecrets = (
  { sealer }: { readonly sealer: Sealer },
  { organizationId, id, sealed }: { readonly organizationId: string; readonly id: string; readonly sealed: string },
): WebhookSecrets => JSON.parse(sealer.open(sealed, rowOf(organizationId, id))) as WebhookSecrets

const sealSecrets = ({ sealer }: Service, { organizationId }: Tenant, id: string, secrets: WebhookSecrets): string =>
  sealer.seal(JSON.stringify(secrets), rowOf(organizationId, id))

/** The row to which sealed secrets are bound. */
const rowOf = (organizationId: string, id: string) => ({ organizationId, connectorId: `webhook ${id}` })

async function webhookOf({ store }: Service, tenant: Tenant, id: string) {
  const found = isId(id) ? await store.webhooks.find(tenant, id.toLowerCase()) : null
  if (found === null) throw noSuchWebhook()
  return found
}

const noSuchWebhook = (): ConexError => new ConexError('not_found', 'There is no such webhook; list them to see all.')

/** What is behind a name is judged when it is dialled. */
function readAddress({ settings }: Service, given: string): string {
  const url = URL.parse(given)
  try {
    if (url !== null && url.hash === '') {
      checkAddress(url, settings.allowPrivateNetwork)
      return url.href
    }
  } catch (error) {
    if (!(error instanceof ConexError)) throw error
  }
  throw invalidRequest([{ path: '/url', message: 'must be a public https address without user, password or fragment' }])
}

function webhookRecord({
  id,
  url,
  description,
  types,
  createdAt,
  updatedAt,
  failingSince,
  disabledAt,
}: Webhook): WebhookRecord {
  return {
    id,
    url,
    description,
    types: types && [...types],
    status: disabledAt === null ? 'active' : 'disabled',
    failing_since: failingSince,
    disabled_at: disabledAt,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

function deliveryRecord({ event, status, attempts, dueAt, triedAt, answered, fault }: Delivery): DeliveryRecord {
  return {
    event: eventRecord(event),
    status,
    attempts,
    next_attempt_at: status === 'waiting' ? dueAt : null,
    last_attempt_at: triedAt,
    last_status: answered,
    last_fault: fault,
  }
}
