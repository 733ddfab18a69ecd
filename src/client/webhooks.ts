/** Manages the webhooks of a service. */
import type { EventType } from '../event-types.ts'
import type { CreatedWebhook, DeliveryList, DeliveryRecord, WebhookRecord } from '../wire.ts'
import { type PagedList, pagedList } from './paged-list.ts'
import type { ServiceCalls } from './service-calls.ts'
import type { CallOptions } from './with-timeout.ts'

export interface NewWebhook {
  /** Where events are sent: https, and public. */
  readonly url: string
  readonly description?: string
  /** Only events of these types; null for all. */
  readonly types?: readonly EventType[] | null
}

/** The possible changes to a webhook. One that becomes active again sends at once what waits. */
export type WebhookChanges = Partial<NewWebhook> & { readonly status?: 'active' | 'disabled' }

export interface DeliveryFilter {
  readonly status?: DeliveryRecord['status']
  readonly limit?: number
  readonly cursor?: string
}

export interface Webhooks {
  /** Creates a webhook; its secret is shown only now. */
  create(webhook: NewWebhook, options?: CallOptions): Promise<CreatedWebhook>
  list(options?: CallOptions): Promise<readonly WebhookRecord[]>
  get(webhookId: string, options?: CallOptions): Promise<WebhookRecord>
  update(webhookId: string, changes: WebhookChanges, options?: CallOptions): Promise<WebhookRecord>
  delete(webhookId: string, options?: CallOptions): Promise<void>
  /** Returns a new secret. The old one signs beside it for a day, or for as long as given. */
  rotate(webhookId: string, options?: CallOptions & { readonly overlapSeconds?: number }): Promise<string>
  /** What became of each event, newest first. */
  deliveries(webhookId: string): PagedList<DeliveryFilter, DeliveryList, DeliveryRecord>
  /** Sends again what was parked, or one event; returns how many deliveries wait again. */
  replay(webhookId: string, options?: CallOptions & { readonly eventId?: string }): Promise<number>
}

const path = '/v1/integrations/webhooks'

export function webhooksThrough(calls: ServiceCalls): Webhooks {
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`
  return {
    create: (body, call) => calls.json({ method: 'POST', path, body }, call),
    list: async (call) => (await calls.json<{ webhooks: WebhookRecord[] }>({ method: 'GET', path }, call)).webhooks,
    get: (id, call) => calls.json({ method: 'GET', path: at(id) }, call),
    update: (id, body, call) => calls.json({ method: 'PATCH', path: at(id), body }, call),
    delete: (id, call) => calls.json({ method: 'DELETE', path: at(id) }, call),
    rotate: async (id, { overlapSeconds: overlap_seconds, ...call } = {}) =>
      (
        await calls.json<{ secret: string }>(
          {
            method: 'POST',
            path: `${at(id)}/rotate`,
            body: { ...(overlap_seconds !== undefined && { overlap_seconds }) },
          },
          call,
        )
      ).secret,
    deliveries: (id) =>
      pagedList(
        (query, call) => calls.json<DeliveryList>({ method: 'GET', path: `${at(id)}/deliveries`, query }, call),
        ({ deliveries }) => deliveries,
      ),
    replay: async (id, { eventId: event_id, ...call } = {}) =>
      (
        await calls.json<{ replayed: number }>(
          { method: 'POST', path: `${at(id)}/replay`, body: { ...(event_id !== undefined && { event_id }) } },
          call,
        )
      ).replayed,
  }
}
