/**
 * Webhooks: the addresses to which an organization has its events sent, and what became of each event there.
 *
 * A webhook takes the events behind its place out of the stream and makes a delivery of each. Deliveries of one connector are a
 * lane: they go one after the other, and wait together when the first of them fails.
 */
import { type ExpressionBuilder, sql } from 'kysely'
import type { EventType } from '../event-types.ts'
import { type AuditEvent, writeAudit } from './audit.ts'
import { eventOf, nextEvents, nobody, type StoredEvent, writeEvents } from './events.ts'
import { isFree } from './leases.ts'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'
import { db, given, type Row, type Tables } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** Times are ISO 8601 in UTC. */
export interface Webhook
  extends Readonly<
    Pick<Row<'webhooks'>, 'id' | 'url' | 'description' | 'createdAt' | 'updatedAt' | 'failingSince' | 'disabledAt'>
  > {
  /** Null for all. */
  readonly types: readonly EventType[] | null
}

/** A webhook that this node delivers for, until its right ends. */
export interface HeldWebhook extends Webhook {
  readonly organizationId: string
  readonly holder: string
  readonly sealed: string
}

export type DeliveryStatus = Row<'deliveries'>['status']

/** An event on its way to a webhook, or what became of it. */
export interface Delivery
  extends Readonly<
    Pick<Row<'deliveries'>, 'lane' | 'status' | 'attempts' | 'since' | 'dueAt' | 'triedAt' | 'answered' | 'fault'>
  > {
  readonly event: StoredEvent
}

export interface WebhookChanges {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly types?: readonly EventType[] | null | undefined
  readonly active?: boolean | undefined
}

/** What came of an attempt: the status that was answered, and what is wrong with it. */
export interface Attempt {
  readonly answered: number | null
  /** Null where the event was delivered. */
  readonly fault: string | null
}

/** What a failed delivery does next. */
export type Next =
  /** It waits until this time, and its lane with it. */
  | { readonly dueAt: string }
  /** It is given up; where nothing was delivered since the given time, the webhook is disabled. */
  | { readonly parked: true; readonly disableIfFailingSince: string }

const mostWebhooks = 50
/** Beyond so many that wait, a webhook takes no more out of the stream. */
const mostWaiting = 1_000

export function webhookStore(queries: Queries) {
  const webhookOf =
    ({ organizationId }: Tenant, id: string) =>
    (where: ExpressionBuilder<Tables, 'webhooks'>) =>
      where.and({ organizationId, id })
  const heldBy =
    ({ id, holder }: Pick<HeldWebhook, 'id' | 'holder'>) =>
    (where: ExpressionBuilder<Tables, 'webhooks'>) =>
      where.and({ id, holder })
  const deliveriesOf =
    ({ organizationId, id }: Pick<HeldWebhook, 'organizationId' | 'id'>) =>
    (where: ExpressionBuilder<Tables, 'deliveries'>) =>
      where.and({ 'deliveries.organizationId': organizationId, 'deliveries.webhookId': id })

  return {
    /** Keeps a new webhook, which gets the events from now on; false where the organization has too many. */
    create: (tenant: Tenant, webhook: Webhook, sealed: string) =>
      queries.transaction(function* () {
        const { organizationId } = tenant
        yield* first(db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate())
        const own = yield* all(db.selectFrom('webhooks').select('id').where('organizationId', '=', organizationId))
        if (own.length >= mostWebhooks) return false
        const head = db.selectFrom('eventHeads').select('last').where('organizationId', '=', organizationId)
        const position = Number((yield* first(head))?.last ?? 0)
        const { types, ...rest } = webhook
        const row = { ...rest, organizationId, sealed, position, types: types && JSON.stringify(types) }
        yield* change(db.insertInto('webhooks').values(row))
        yield* note(tenant, 'webhook.created', webhook.id, webhook.createdAt)
        return true
      }),

    async list({ organizationId }: Tenant) {
      const query = db.selectFrom('webhooks').selectAll().where('organizationId', '=', organizationId).orderBy('id')
      return (await queries.run(all(query))).map(webhookFrom)
    },

    async find(tenant: Tenant, id: string) {
      const row = await queries.run(first(db.selectFrom('webhooks').selectAll().where(webhookOf(tenant, id))))
      return row === undefined ? null : { ...webhookFrom(row), sealed: row.sealed }
    },

    /** Changes a webhook; null if there is none. One that becomes active again tries at once what waits. */
    update: (tenant: Tenant, id: string, { types, active, ...changes }: WebhookChanges, now: string) =>
      queries.transaction(function* (): Steps<Webhook | null> {
        const locked = db.selectFrom('webhooks').selectAll().where(webhookOf(tenant, id)).forNoKeyUpdate()
        const before = yield* first(locked)
        if (before === undefined) return null
        const wakes = active === true && before.disabledAt !== null
        const set = {
          ...given(changes),
          updatedAt: now,
          ...(types !== undefined && { types: types && JSON.stringify(types) }),
          ...(active === false && { disabledAt: before.disabledAt ?? now }),
          ...(wakes && { disabledAt: null, failingSince: null }),
        }
        yield* change(db.updateTable('webhooks').set(set).where(webhookOf(tenant, id)))
        if (wakes) {
          const waiting = db.updateTable('deliveries').where(deliveriesOf({ ...tenant, id }))
          yield* change(waiting.where('status', '=', 'waiting').set({ dueAt: now, since: now }))
        }
        yield* note(tenant, 'webhook.changed', id, now)
        return webhookFrom({ ...before, ...set } as Row<'webhooks'>)
      }),

    /** Puts other secrets in the place of those that were read; false when others came there meanwhile. */
    replaceSecrets: (tenant: Tenant, id: string, before: string, sealed: string, now: string) =>
      queries.transaction(function* () {
        const query = db.updateTable('webhooks').set({ sealed, updatedAt: now }).where(webhookOf(tenant, id))
        if ((yield* change(query.where('sealed', '=', before))) === 0) return false
        yield* note(tenant, 'webhook.secret_rotated', id, now)
        return true
      }),

    /** Removes a webhook with its deliveries; false if there is none. */
    delete: (tenant: Tenant, id: string, now: string) =>
      queries.transaction(function* () {
        if ((yield* change(db.deleteFrom('webhooks').where(webhookOf(tenant, id)))) === 0) return false
        yield* change(db.deleteFrom('deliveries').where(deliveriesOf({ ...tenant, id })))
        yield* note(tenant, 'webhook.deleted', id, now)
        return true
      }),

    /** Deliveries, newest events first, at most `limit`, before the given place. */
    async deliveries(
      tenant: Tenant,
      id: string,
      status: DeliveryStatus | undefined,
      limit: number,
      before: number | null,
    ) {
      let query = joined().where(deliveriesOf({ ...tenant, id }))
      if (status !== undefined) query = query.where('status', '=', status)
      if (before !== null) query = query.where('deliveries.position', '<', before)
      const rows = await queries.run(all(query.orderBy('deliveries.position', 'desc').limit(limit + 1)))
      const deliveries = rows.slice(0, limit).map(deliveryFrom)
      return { deliveries, next: rows.length > limit ? deliveries.at(-1)!.event.position : null }
    },

    /** Sends parked deliveries again, or that of one event whatever became of it; gives how many. */
    replay: (tenant: Tenant, id: string, eventId: string | null, now: string) =>
      queries.transaction(function* () {
        const own = db.updateTable('deliveries').where(deliveriesOf({ ...tenant, id }))
        const { organizationId } = tenant
        const event = db
          .selectFrom('events')
          .select('position')
          .where((where) => where.and({ organizationId, id: eventId! }))
        const chosen =
          eventId === null
            ? own.where('status', '=', 'parked')
            : own.where('status', '!=', 'waiting').where('position', 'in', event)
        return yield* change(chosen.set({ status: 'waiting', attempts: 0, since: now, dueAt: now }))
      }),

    /** Active webhooks, of any organization, that nobody delivers for and that have something to deliver now. */
    async due(now: string, until: string, limit: number) {
      const query = db
        .selectFrom('webhooks')
        .innerJoin('eventHeads', 'eventHeads.organizationId', 'webhooks.organizationId')
        .select('webhooks.id')
        .where('disabledAt', 'is', null)
        .where(isFree('holder', 'heldUntil', now, until))
        .where(
          sql<boolean>`(webhooks.position < event_heads.last or exists (select 1 from deliveries
            where deliveries.organization_id = webhooks.organization_id and webhook_id = webhooks.id
              and status = 'waiting' and due_at <= ${now}))`,
        )
        .orderBy('webhooks.heldUntil')
        .limit(limit)
      return (await queries.run(all(query))).map(({ id }) => id)
    },

    /** Takes the right to deliver for a webhook until the given time; null where another has it. */
    async take(id: string, holder: string, now: string, until: string): Promise<HeldWebhook | null> {
      const query = db.updateTable('webhooks').set({ holder, heldUntil: until }).where('id', '=', id)
      const free = query.where('disabledAt', 'is', null).where(isFree('holder', 'heldUntil', now, until))
      const row = await queries.run(first(free.returningAll()))
      if (row === undefined) return null
      const { organizationId, sealed } = row
      return { ...webhookFrom(row), organizationId, sealed, holder }
    },

    /** Holds that right until a later time; false when another has taken it since, or the webhook is gone. */
    async renew(webhook: HeldWebhook, until: string) {
      const query = db.updateTable('webhooks').set({ heldUntil: until }).where(heldBy(webhook))
      return (await queries.run(change(query))) > 0
    },

    async release(webhook: HeldWebhook) {
      await queries.run(change(db.updateTable('webhooks').set({ holder: null }).where(heldBy(webhook))))
    },

    /**
     * Makes deliveries of the next events; each waits for its lane. Gives the webhook as it is by now; null when another node delivers
     * for it, or when it is gone or disabled.
     */
    enqueue: (webhook: HeldWebhook, limit: number, now: string) =>
      queries.transaction(function* (): Steps<HeldWebhook | null> {
        const row = yield* first(db.selectFrom('webhooks').selectAll().where(heldBy(webhook)).forNoKeyUpdate())
        if (row === undefined || row.disabledAt !== null) return null
        const { organizationId, id, sealed } = row
        const current = { ...webhookFrom(row), organizationId, sealed, holder: webhook.holder }
        const waiting = db.selectFrom('deliveries').where(deliveriesOf(webhook)).where('status', '=', 'waiting')
        const held = yield* all(waiting.select(['lane', 'dueAt']).limit(mostWaiting))
        if (held.length >= mostWaiting) return current
        const filter = { types: current.types ?? undefined }
        let page = yield* nextEvents(organizationId, filter, limit, Number(row.position))
        // The events after that place are not kept any more.
        if (page.outcome !== 'read') page = yield* nextEvents(organizationId, filter, limit, null)
        if (page.outcome !== 'read') return current
        const later = new Map(held.map(({ lane, dueAt }) => [lane, dueAt]))
        const deliveries = page.events.map(({ position, connectorId }) => {
          const lane = connectorId ?? ''
          const dueAt = later.get(lane) ?? now
          return {
            organizationId,
            webhookId: id,
            position,
            lane,
            status: 'waiting',
            attempts: 0,
            since: now,
            dueAt,
          } as const
        })
        if (deliveries.length > 0) yield* change(db.insertInto('deliveries').values(deliveries))
        yield* change(db.updateTable('webhooks').set({ position: page.position }).where(heldBy(webhook)))
        return current
      }),

    /** What is to be delivered now, in the order of the events, at most `limit`. */
    async waiting(webhook: HeldWebhook, limit: number, now: string) {
      const query = joined().where(deliveriesOf(webhook)).where('status', '=', 'waiting').where('dueAt', '<=', now)
      return (await queries.run(all(query.orderBy('deliveries.position').limit(limit)))).map(deliveryFrom)
    },

    /** Notes that an event was delivered. */
    delivered: (webhook: HeldWebhook, { event, attempts }: Delivery, answered: number, now: string) =>
      queries.transaction(function* () {
        const set = { status: 'delivered', attempts: attempts + 1, triedAt: now, answered, fault: null } as const
        yield* change(deliveryOf(webhook, event.position, attempts).set(set))
        const query = db.updateTable('webhooks').set({ failingSince: null }).where('id', '=', webhook.id)
        yield* change(query.where('failingSince', 'is not', null))
      }),

    /** Notes that an attempt failed, and what comes next. */
    failed: (webhook: HeldWebhook, { event, attempts, lane }: Delivery, attempt: Attempt, next: Next, now: string) =>
      queries.transaction(function* (): Steps<void> {
        const locked = db.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).forNoKeyUpdate()
        const row = yield* first(locked)
        if (row === undefined) return
        const parked = 'parked' in next
        const status = parked ? 'parked' : 'waiting'
        const set = { status, attempts: attempts + 1, triedAt: now, ...attempt } as const
        if ((yield* change(deliveryOf(webhook, event.position, attempts).set(set))) === 0) return
        const waiting = db.updateTable('deliveries').where(deliveriesOf(webhook)).where('status', '=', 'waiting')
        yield* change(waiting.where('lane', '=', lane).set({ dueAt: parked ? now : next.dueAt }))
        const failingSince = row.failingSince ?? now
        const disabled = parked && failingSince <= next.disableIfFailingSince && row.disabledAt === null
        const changed = { failingSince, ...(disabled && { disabledAt: now }) }
        yield* change(db.updateTable('webhooks').set(changed).where('id', '=', webhook.id))
        if (!disabled) return
        const { organizationId } = webhook
        const details = { webhook_id: webhook.id, failing_since: failingSince }
        yield* writeEvents({ organizationId }, nobody, { type: 'webhook.disabled', at: now, details })
      }),
  }

  function deliveryOf(webhook: HeldWebhook, position: number, attempts: number) {
    const query = db.updateTable('deliveries').where(deliveriesOf(webhook))
    // Whoever took over meanwhile has noted an attempt of its own.
    return query.where((where) => where.and({ position, status: 'waiting', attempts }))
  }
}

const joined = () =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.organizationId', '=', 'deliveries.organizationId')
        .onRef('events.position', '=', 'deliveries.position'),
    )
    .selectAll('events')
    .select(['lane', 'status', 'attempts', 'since', 'dueAt', 'triedAt', 'answered', 'fault'])

function deliveryFrom(row: Row<'events'> & Omit<Delivery, 'event'>): Delivery {
  const { lane, status, attempts, since, dueAt, triedAt, answered, fault } = row
  return { event: eventOf(row), lane, status, attempts, since, dueAt, triedAt, answered, fault }
}

function webhookFrom(row: Row<'webhooks'>): Webhook {
  const { id, url, description, createdAt, updatedAt, failingSince, disabledAt } = row
  const types = row.types === null ? null : (JSON.parse(row.types) as EventType[])
  return { id, url, description, types, createdAt, updatedAt, failingSince, disabledAt }
}

function* note(tenant: Tenant, event: AuditEvent, webhookId: string, at: string): Steps<void> {
  yield* writeAudit(tenant, { event, at, details: { webhook_id: webhookId } })
}
