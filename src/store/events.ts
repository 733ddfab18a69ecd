/**
 * Events: what programs are told, in the order in which it happened. A change writes its events in its own transaction.
 *
 * Each event has a place in the order of its organization. Places are given under the lock of the organization's row in
 * `event_heads`, which is held until the transaction ends: what has a later place was committed later, so a reader who has
 * seen a place has seen all before it.
 */
import type { EventData, EventType } from '../event-types.ts'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'
import { db, given, type Row } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** The connector that an event is about. A consent has none yet, and a webhook is of the whole organization. */
export type EventSubject = Readonly<Pick<Row<'events'>, 'connectorId' | 'externalUserId' | 'connectorType'>>

export const nobody: EventSubject = { connectorId: null, externalUserId: null, connectorType: null }

/** What happened. Never a secret, a record, nor anything that a third-party system said. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T
    /** ISO 8601 in UTC. */
    readonly at: string
    readonly details: Omit<EventData<T>, 'connector_id' | 'external_user_id' | 'connector_type'>
  }
}[EventType]

/** An event as it is kept. */
export interface StoredEvent extends Omit<Row<'events'>, 'organizationId' | 'position' | 'type' | 'details'> {
  readonly position: number
  readonly type: EventType
  readonly details: Readonly<Record<string, unknown>>
}

export interface EventFilter {
  readonly types?: readonly EventType[] | undefined
  readonly connectorId?: string | undefined
  readonly externalUserId?: string | undefined
}

/** The next events, or that some of them are not kept any more. */
export type EventPage =
  | {
      readonly outcome: 'read'
      readonly events: readonly StoredEvent[]
      /** The place to go on after. */
      readonly position: number
      /** Whether there were more. */
      readonly more: boolean
    }
  /** The place is before the oldest event that is kept, or behind the newest that there ever was. */
  | { readonly outcome: 'gone' | 'unknown' }

export function eventStore(queries: Queries) {
  return {
    /** Events of the organization in their order, at most `limit`, after the given place; null begins with the oldest. */
    after: ({ organizationId }: Tenant, filter: EventFilter, limit: number, place: number | null) =>
      queries.run(nextEvents(organizationId, filter, limit, place)),

    /** The place of the newest event. */
    async newest({ organizationId }: Tenant) {
      return Number((await queries.run(first(headOf(organizationId).select('last'))))?.last ?? 0)
    },

    /** The places of the newest events of these organizations. */
    async newestOf(organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const heads = db.selectFrom('eventHeads').select(['organizationId', 'last'])
      const rows = await queries.run(all(heads.where('organizationId', 'in', organizationIds)))
      return new Map(rows.map(({ organizationId, last }) => [organizationId, Number(last)]))
    },

    /** The organizations that have events. */
    async organizations() {
      return (await queries.run(all(db.selectFrom('eventHeads').select('organizationId')))).map(
        ({ organizationId }) => organizationId,
      )
    },

    /**
     * Deletes events from before a time, the oldest first, at most `limit`; gives how many. What is dated after `furthest` was
     * written by a clock that was ahead, and keeps nothing else from going.
     */
    prune: (organizationId: string, before: string, furthest: string, limit: number) =>
      queries.transaction(function* () {
        const oldest = db.selectFrom('events').select(['position', 'at']).where('organizationId', '=', organizationId)
        const rows = yield* all(oldest.orderBy('position').limit(limit))
        const kept = rows.findIndex(({ at }) => at >= before && at <= furthest)
        const gone = kept === -1 ? rows : rows.slice(0, kept)
        if (gone.length === 0) return 0
        const pruned = Number(gone.at(-1)!.position)
        // Before the lock that writers of events wait for: who notes a delivery may write an event next.
        const own = db.deleteFrom('deliveries').where('organizationId', '=', organizationId)
        yield* change(own.where('position', '<=', pruned))
        yield* change(db.updateTable('eventHeads').where('organizationId', '=', organizationId).set({ pruned }))
        const deleted = db.deleteFrom('events').where('organizationId', '=', organizationId)
        yield* change(deleted.where('position', '<=', pruned))
        return gone.length
      }),
  }
}

const headOf = (organizationId: string) =>
  db.selectFrom('eventHeads').where('eventHeads.organizationId', '=', organizationId)

/** Events in their order, at most `limit`, after the given place; null begins with the oldest. */
export function* nextEvents(
  organizationId: string,
  { types, connectorId, externalUserId }: EventFilter,
  limit: number,
  place: number | null,
): Steps<EventPage> {
  let page = db
    .selectFrom('events')
    .selectAll()
    .where((where) => where.and(given({ organizationId, connectorId, externalUserId })))
    .where('position', '>', place ?? 0)
  if (types !== undefined)
    page = types.length === 1 ? page.where('type', '=', types[0]!) : page.where('type', 'in', types)
  const rows = yield* all(
    // One query sees one moment: everything up to `last` is there, unless it was pruned.
    headOf(organizationId)
      .leftJoin(
        page
          .orderBy('position')
          .limit(limit + 1)
          .as('page'),
        (join) => join.onRef('page.organizationId', '=', 'eventHeads.organizationId'),
      )
      .selectAll('page')
      .select(['last', 'pruned'])
      .orderBy('position'),
  )
  return pageOf(rows, limit, place)
}

type PageRow = Pick<Row<'eventHeads'>, 'last' | 'pruned'> & { readonly [Name in keyof Row<'events'>]: unknown }

function pageOf(rows: readonly PageRow[], limit: number, place: number | null): EventPage {
  const { last, pruned } = rows[0] ?? { last: 0, pruned: 0 }
  if (place !== null && place < Number(pruned)) return { outcome: 'gone' }
  // A database that was restored from a backup gives its places again.
  if (place !== null && place > Number(last)) return { outcome: 'unknown' }
  const found = rows.filter(({ id }) => id !== null)
  const events = found.slice(0, limit).map((row) => eventOf(row as Row<'events'>))
  const more = found.length > limit
  return { outcome: 'read', events, position: more ? events.at(-1)!.position : Number(last), more }
}

/** An event from its row. */
export function eventOf(row: Row<'events'>): StoredEvent {
  const { id, type, at, connectorId, externalUserId, connectorType } = row
  const details = JSON.parse(row.details) as StoredEvent['details']
  const about = { connectorId, externalUserId, connectorType }
  return { position: Number(row.position), id, type: type as EventType, at, ...about, details }
}

/**
 * Writes events about one subject. Comes last in its transaction: it takes the lock that all who write events wait for, and who
 * has that lock must wait for nobody.
 */
export function* writeEvents(
  { organizationId }: Pick<Tenant, 'organizationId'>,
  subject: EventSubject,
  ...events: readonly NewEvent[]
): Steps<void> {
  for (const { type, at, details } of events) {
    const head = yield* first(
      db
        .insertInto('eventHeads')
        .values({ organizationId, last: 1 })
        .onConflict((conflict) =>
          conflict.column('organizationId').doUpdateSet((set) => ({ last: set('eventHeads.last', '+', 1) })),
        )
        .returning('last'),
    )
    const { connectorId, externalUserId, connectorType } = subject
    const row = { organizationId, position: Number(head!.last), id: crypto.randomUUID(), type, at }
    const about = { connectorId, externalUserId, connectorType, details: JSON.stringify(details) }
    yield* change(db.insertInto('events').values({ ...row, ...about }))
  }
}
